// Generated from docs/openapi.json by `npm run generate -w @mailkeel/sdk`. Do not edit.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process up? */
        get: operations["health.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the service ready? 503 when the store cannot be read or written, is damaged or short of disk space, while the clock is 10 s off the database, or while it shuts down */
        get: operations["health.getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List messages, newest first */
        get: operations["messages.list"];
        put?: never;
        /**
         * Send or schedule a message
         * @description The answer says `queued`, whatever the later outcome. With an idempotency key, a repeated request is answered as the first one was, with the header Idempotent-Replayed: true. A recipient who has unsubscribed gets no more mail, **transactional mail included**, unless the organization sets `unsubscribe_blocks` to `marketing` (PATCH /v1/organization): such a message becomes `suppressed`, and its trail says why. With a `topic`, unsubscribing ends the mail of that list alone.
         */
        post: operations["messages.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the same content to the same recipient again, as a new message */
        post: operations["messages.resend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send many messages; each has its own result
         * @description An item that is refused does not stop the others, unless `atomic` is true; its place in `data` holds {error}. The header Idempotency-Key is for the batch as a whole: an item without an idempotency_key of its own gets the header, a slash and its place in the list, from 0.
         */
        post: operations["messages.createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a message */
        get: operations["messages.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the time of a message that is scheduled or queued */
        patch: operations["messages.update"];
        trace?: never;
    };
    "/v1/messages/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the content of a message */
        get: operations["messages.getContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a message's audit trail */
        get: operations["messages.getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a message as it goes on the wire (message/rfc822)
         * @description After sending: the octets that were sent, DKIM signatures included. They are composed again, so keys or an inbound domain that changed since make a difference. Before sending: unsigned. Received mail: as received.
         */
        get: operations["messages.getRaw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a message that is scheduled or queued */
        post: operations["messages.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/attachments/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a message
         * @description By its place in `attachments`, from 0. Inline images of received mail are among them.
         */
        get: operations["messages.getAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every attempt to deliver a message, with the SMTP conversation
         * @description Oldest first.
         */
        get: operations["messages.listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain where a message is, why, and what to do */
        get: operations["messages.explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a deferred or held message now
         * @description Its attempts and its lifetime do not change; limits and pauses still apply. A message whose last attempt ended in doubt is tried too, and may arrive twice. Before the time that the receiver's last reply asked to wait (greylisting, a time that it names, a block list), the answer is 429 with Retry-After.
         */
        post: operations["messages.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Issue a signed proof of a message and its audit trail */
        get: operations["messages.getProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/proof/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a proof; no key needed
         * @description `bundle` and `signature` are read, and the attestation where it is given. Whatever does not match is answered valid: false. `sandbox` says whether the message was one of a test key, which is delivered to nobody.
         */
        post: operations["proofs.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/proof-keys.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys that verify proofs, retired ones included */
        get: operations["proofs.getKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations, the latest activity first
         * @description Each message moves its thread to the top. A thread that moves while you page is not on a later page: read the first page again to see it. No thread comes twice.
         */
        get: operations["threads.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a conversation with its last messages */
        get: operations["threads.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Close a conversation, or open it again
         * @description A closed thread opens by itself with the next message of either side.
         */
        patch: operations["threads.update"];
        trace?: never;
    };
    "/v1/threads/{id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer in a conversation
         * @description Sends a transactional message of the thread's sub-tenant to the correspondent, or to `to`, with In-Reply-To and References of the last message. The thread is open afterwards.
         */
        post: operations["threads.reply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dmarc-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the DMARC reports about your domains */
        get: operations["dmarcReports.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dmarc-reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a DMARC report with its records, each classified */
        get: operations["dmarcReports.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dmarc-reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Add up the DMARC reports of a time */
        get: operations["dmarcReports.summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tls-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the TLS reports about your inbound domains */
        get: operations["tlsReports.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tls-reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a TLS report with its records */
        get: operations["tlsReports.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tls-reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Add up the TLS reports of a time */
        get: operations["tlsReports.summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the usage of the plan, this day and this month; the sandbox is not counted */
        get: operations["usage.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the messages of each API key of the workspace, day by day */
        get: operations["usage.listApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in: sets the session cookie
         * @description The answer is the same for an unknown address, a wrong password or code, and a locked account. `totp_required` comes only after the right password.
         */
        post: operations["auth.signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End this session */
        post: operations["auth.signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who is signed in, with organization, role and workspaces */
        get: operations["auth.getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sessions, the newest first */
        get: operations["auth.listSessions"];
        put?: never;
        post?: never;
        /** End all your sessions but this one */
        delete: operations["auth.endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["auth.endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your name */
        patch: operations["auth.updateUser"];
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password; your other sessions end */
        post: operations["auth.changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a secret for an authenticator app; it becomes active when one of its codes is confirmed */
        post: operations["auth.beginTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn the authenticator app on; shows the recovery codes, once. Your other sessions end */
        post: operations["auth.confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn the authenticator app off; needs the password and a code */
        post: operations["auth.disableTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link to choose a new password
         * @description The answer is the same whether there is such an account or not. It is 409 while this appliance has no domain to mail the link from.
         */
        post: operations["auth.requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password by the mailed link; all sessions end */
        post: operations["auth.confirmPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a person to approve a program that has no browser (RFC 8628)
         * @description Show the person `user_code` and `verification_uri`, then ask `auth.pollDevice` every `interval` seconds.
         */
        post: operations["auth.startDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask whether the person has approved the program; the API key is answered once */
        post: operations["auth.pollDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/device/{user_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the program that waits with a code */
        get: operations["auth.getDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/device/{user_code}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a program: it gets an API key of the workspace */
        post: operations["auth.approveDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/device/{user_code}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse a program that waits */
        post: operations["auth.denyDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the people of the organization */
        get: operations["members.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a person from the organization, or leave it; revokes their API keys, and deletes an account without any organization */
        delete: operations["members.remove"];
        options?: never;
        head?: never;
        /** Change the role of a person; only an owner may make or remove owners */
        patch: operations["members.update"];
        trace?: never;
    };
    "/v1/members/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of a person, in all workspaces; a removal revokes them */
        get: operations["members.listApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invitations into the organization */
        get: operations["invitations.list"];
        put?: never;
        /** Invite a person, by mail or by the link of the answer; replaces an open invitation */
        post: operations["invitations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation; its link stops working */
        delete: operations["invitations.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read what the link of an invitation is for */
        post: operations["invitations.view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation: makes the account, or joins with the account of that address
         * @description Where the address has an account (`has_account`) its password is asked for, and its second factor by `totp_required`, as for signing in.
         */
        post: operations["invitations.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who is asking: the key or the person, what it may do, where, and the limits */
        get: operations["me.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read which alerts you get, and by which way */
        get: operations["auth.getAlerts"];
        /**
         * Choose which alerts you get, and by which way
         * @description Replaces the former choice. A new URL gets a new signing secret, which is in this answer only.
         */
        put: operations["auth.putAlerts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/alerts/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send yourself a test alert
         * @description It also counts towards the ten mails or posts of an hour. `GET /v1/auth/alerts/notices` shows whether it left.
         */
        post: operations["auth.testAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/alerts/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the alerts that you were sent, and whether they left */
        get: operations["auth.listAlertNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/senders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List senders */
        get: operations["senders.list"];
        put?: never;
        /** Add an address, which its owner confirms by mail, or a domain, which DNS records prove */
        post: operations["senders.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/senders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a sender */
        get: operations["senders.get"];
        put?: never;
        post?: never;
        /** Remove a sender; a domain's keys sign no more */
        delete: operations["senders.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/senders/{id}/authentication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the result of the last check of each DNS record of a domain, with advice */
        get: operations["senders.getAuthentication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/senders/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a domain's DNS records now, or mail an address's owner a new link */
        post: operations["senders.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/senders/{id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an address the default From */
        post: operations["senders.makeDefault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sub-tenants, also by their reputation */
        get: operations["subTenants.list"];
        put?: never;
        /** Set up a sub-tenant; the answer holds the DNS records to publish */
        post: operations["subTenants.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a sub-tenant */
        get: operations["subTenants.get"];
        put?: never;
        post?: never;
        /** Remove a sub-tenant with its keys, senders, templates and API keys; its queued mail fails */
        delete: operations["subTenants.delete"];
        options?: never;
        head?: never;
        /** Change name, external_id, the throttle, its names for bounces, replies and links, or how its pages look */
        patch: operations["subTenants.update"];
        trace?: never;
    };
    "/v1/sub-tenants/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check the DNS records now; `verified` when the required ones are right */
        post: operations["subTenants.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}/authentication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read its signing keys, and the result of the last check of each DNS record, with advice */
        get: operations["subTenants.getAuthentication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the events of the sub-tenant, in time order */
        get: operations["subTenants.getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}/rotate-dkim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make new DKIM keys; the old ones sign until DNS shows the new ones */
        post: operations["subTenants.rotateDkim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse its sends and hold its queued mail in the key's environment, until it is resumed */
        post: operations["subTenants.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume its mail */
        post: operations["subTenants.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}/reputation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read its complaint and bounce rates by day, the levels, and the changes that followed
         * @description Of the key's environment. The figures are those of the last sweep, which also decides; the days are up to date.
         */
        get: operations["subTenants.getReputation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}/bulk-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check its mail against what Google, Yahoo and Microsoft ask of bulk senders
         * @description Of the key's environment and the last 30 days: DNS records as last checked, the newest messages as they left, their attempts, and the counters. Mail of the sandbox leaves no attempts that show anything.
         */
        get: operations["subTenants.getBulkRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the workspace's own mail against what Google, Yahoo and Microsoft ask of bulk senders
         * @description Mail without a sub-tenant; a key of a sub-tenant, or X-Sub-Tenant-Id, gets that one's. Of the key's environment and the last 30 days: DNS records as last checked, the newest messages as they left, their attempts, and the counters. Mail of the sandbox leaves no attempts that show anything.
         */
        get: operations["bulkRules.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook endpoints */
        get: operations["webhookEndpoints.list"];
        put?: never;
        /** Register a webhook endpoint; its signing secret is in this answer only */
        post: operations["webhookEndpoints.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook endpoint */
        get: operations["webhookEndpoints.get"];
        put?: never;
        post?: never;
        /** Delete a webhook endpoint with its delivery log */
        delete: operations["webhookEndpoints.delete"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint, or enable it again
         * @description Deliveries that waited while it was disabled go out when it is enabled.
         */
        patch: operations["webhookEndpoints.update"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret; the new one is in this answer only
         * @description Until `previous_secret_until` deliveries have two signatures, by the new secret and by the former one. Another rotation in that time ends the older of the two. A format with one signature only is signed by the new secret at once.
         */
        post: operations["webhookEndpoints.rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description The event is signed, retried and logged like every other. `data.id` starts with `msg_test_`, `tnt_test_` and so on, and no object has that id.
         */
        post: operations["webhookEndpoints.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to a webhook endpoint, with every attempt
         * @description Lists deliveries of the key's environment. Endpoints serve both environments; their logs are separate.
         */
        get: operations["webhookEndpoints.listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook deliveries of a message, with every attempt
         * @description Newest first, of all endpoints that the key sees. Deliveries go with their endpoint when it is deleted.
         */
        get: operations["messages.listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a delivery
         * @description A new delivery of the same event with the same body; `replay_of` names the one it repeats.
         */
        post: operations["webhookEndpoints.replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the events of a period again
         * @description Delivers events of the key's environment in their order, as new deliveries; those with a delivery under way are left out. A long replay goes on in the background: `state` is `running`. The same request within a minute is the same replay, and an endpoint has one at a time.
         */
        post: operations["webhookEndpoints.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List replays with their progress */
        get: operations["webhookEndpoints.listReplays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every event of the environment
         * @description Follow it with `order=asc&after=<id of the last event seen>`. A page may be shorter than `limit` while `has_more` is true. After a restore from a backup, a place that the chain does not have any more is refused with `cursor_ahead`; `details.resume_after` is where to go on.
         */
        get: operations["events.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events as they happen
         * @description Server-sent events, as EventSource reads them: `id` is the id of the event, `event` its name, `data` the same JSON as in `GET /v1/events`. Connect again with the last id in `Last-Event-ID` or `after`, and nothing is missed or sent twice, however long that took. Without either the stream begins now. An event `reset` says that a restore from a backup has undone events that you have seen; its `data` is `{"object":"event_reset","resume_after":"evt_…"}`, and the stream goes on after that event.
         */
        get: operations["events.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List templates; a sub-tenant sees its own and the workspace's, a test key its own and the live ones */
        get: operations["templates.list"];
        put?: never;
        /** Create a template; its syntax is checked, and the slug is made from the name when missing */
        post: operations["templates.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a template */
        get: operations["templates.get"];
        put?: never;
        post?: never;
        /**
         * Delete a template; messages made from it stay as they are
         * @description Refused with `template_in_use` while a sequence, an unfinished campaign or the confirmation mail of a list uses the template, unless `force` is true. Without the template, a sequence pauses at the step that sends it, and a list sends a plain confirmation mail.
         */
        delete: operations["templates.delete"];
        options?: never;
        head?: never;
        /** Change a template; new content makes a new version */
        patch: operations["templates.update"];
        trace?: never;
    };
    "/v1/templates/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a template, newest first */
        get: operations["templates.listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a version of a template */
        get: operations["templates.getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a template, part by part */
        get: operations["templates.compareVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new version with the content of an old one; nothing when that is the current content */
        post: operations["templates.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a template to the other environment
         * @description Where the other environment has a template of the same owner with the same slug, that one gets a new version with the content (200); otherwise a template is made (201). A slug in the path names the template of the environment that is copied from. A test key copies from live to test only.
         */
        post: operations["templates.copy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fill content that is not saved, as a template would be; nothing is kept or sent */
        post: operations["templates.renderContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fill a template as a message would, and send nothing; the unsubscribe link is a sample */
        post: operations["templates.render"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a template to test addresses
         * @description As one transactional message with the tag `template_test` to all of them, which is not tracked; they need not be contacts. With a test key it goes to the sandbox. The unsubscribe link is a sample.
         */
        post: operations["templates.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/saved-blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspace's saved blocks, and those of one sub-tenant
         * @description A sub-tenant's key always lists its own blocks and the workspace's.
         */
        get: operations["savedBlocks.list"];
        put?: never;
        /**
         * Save a block of a template design under a name
         * @description A workspace and each of its sub-tenants save at most 100 blocks in each environment.
         */
        post: operations["savedBlocks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/saved-blocks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a saved block; templates that contain a copy of it stay as they are */
        delete: operations["savedBlocks.delete"];
        options?: never;
        head?: never;
        /** Rename a saved block */
        patch: operations["savedBlocks.update"];
        trace?: never;
    };
    "/v1/contacts/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person: the contact, and all mail to and from them
         * @description Removes every contact of the address with its lists, sequences and overrides, cancels what still waits, and takes contents, files, names, labels and trail details off all mail to and from it; with a live key or a session in both environments, with a test key in test alone; within the sub-tenant where the key or the request is narrowed to one. What was said to others too stays theirs without the address. The trail still holds and proofs issued before still verify. Suppressions of the address stay. Mail that only mentions the person is not looked for. Can be asked again, also by the address once the contact is gone.
         */
        post: operations["contacts.erase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the lists */
        get: operations["lists.list"];
        put?: never;
        /** Make a list; with a filter it is a segment */
        post: operations["lists.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Count the contacts of a segment, and show some of them; nothing is stored */
        post: operations["lists.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a list */
        get: operations["lists.get"];
        put?: never;
        post?: never;
        /** Delete a list; its contacts stay */
        delete: operations["lists.delete"];
        options?: never;
        head?: never;
        /** Change a list; a segment stays one, and no other list becomes one */
        patch: operations["lists.update"];
        trace?: never;
    };
    "/v1/lists/{id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The distinct tags of the subscribed members, with how many carry each
         * @description As they are now. Of more than 10,000 different tags the most frequent are shown.
         */
        get: operations["lists.listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}/growth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List how many joined and left, day by day */
        get: operations["lists.getGrowth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}/publishable-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the publishable key of a list, or another one in place of it
         * @description A form of any site signs people up with it: POST /v1/subscribe as `application/x-www-form-urlencoded` with `email`, `name`, `list_key`, `metadata[key]` and `redirect_url`. The former key stops working.
         */
        post: operations["lists.rotatePublishableKey"];
        /** Revoke the publishable key of a list: forms with it stop working */
        delete: operations["lists.deletePublishableKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The members of a list, or the contacts that a segment takes, newest contact first */
        get: operations["lists.listContacts"];
        put?: never;
        /** Put one contact onto a list (201, or 200 when it was on it), or up to 1,000 by their ids (200 with the results) */
        post: operations["lists.addContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}/contacts/{contact_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a contact off a list; the contact is not deleted */
        delete: operations["lists.removeContact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign somebody up for a list as they asked; a mail asks them to confirm where the list has double opt-in */
        post: operations["lists.subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List imports */
        get: operations["imports.list"];
        put?: never;
        /**
         * Import contacts from CSV or JSON, in the background
         * @description A contact that is known by its address is changed: fields that are given overwrite, tags are added, metadata is merged key by key. Columns and fields that say that somebody unsubscribed, bounced or complained, in the spelling of any program, set the status and suppress the address. A contact who is unsubscribed, bounced or complained stays so, and a contact who left the list is not put back. A wrong row is refused alone. With curl use `--data-binary`.
         */
        post: operations["imports.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the progress of an import */
        get: operations["imports.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End an import; contacts imported so far stay */
        post: operations["imports.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the rows that were refused, as CSV
         * @description The columns line, problem and row. An apostrophe stands before what a spreadsheet would run.
         */
        get: operations["imports.getRejectedRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download contacts, as CSV or JSON
         * @description An exported file can be imported again, and changes nothing then. In CSV an apostrophe stands before a cell that a spreadsheet would take for a formula; the import takes it away again.
         */
        get: operations["contacts.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List exports */
        get: operations["exports.list"];
        put?: never;
        /**
         * Export contacts, messages, events or suppressions into a file, in the background
         * @description The filters are those of the list of the same kind. The file has the objects that existed at the time of the request, oldest first. In CSV an apostrophe stands before a cell that a spreadsheet would take for a formula.
         */
        post: operations["exports.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the progress of an export */
        get: operations["exports.get"];
        put?: never;
        post?: never;
        /**
         * Delete an export and its file
         * @description A running export ends. The file no longer counts towards the quota of the workspace.
         */
        delete: operations["exports.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End an export and remove its file */
        post: operations["exports.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exports/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the file of a completed export; a Range header gets a part of it */
        get: operations["exports.getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend or cancel all messages that a filter finds, or suppress their recipients
         * @description Finds all matches first; then changes each by the rules of the operation on a single object. Later matches are not changed. With `dry_run` nothing is changed: the answer is 200 with the number and a sample. A message is sent again once, also when the work is interrupted; the plan counts each.
         */
        post: operations["bulkActions.createForMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag, untag, suppress or delete all contacts that a filter finds
         * @description Finds all matches first; then changes each by the rules of the operation on a single object. Later matches are not changed. With `dry_run` nothing is changed: the answer is 200 with the number and a sample.
         */
        post: operations["bulkActions.createForContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List bulk actions */
        get: operations["bulkActions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the progress of a bulk action */
        get: operations["bulkActions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a bulk action; changes made so far stay */
        post: operations["bulkActions.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List campaigns */
        get: operations["campaigns.list"];
        put?: never;
        /**
         * Create a campaign: a draft, or a scheduled one when a time is given
         * @description A draft may be without list and template; preflight, test and send say what is missing (`campaign_incomplete`).
         */
        post: operations["campaigns.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a campaign */
        get: operations["campaigns.get"];
        put?: never;
        post?: never;
        /** Delete a campaign that is not being sent; its messages stay */
        delete: operations["campaigns.delete"];
        options?: never;
        head?: never;
        /**
         * Change a draft or a scheduled campaign; variants and split are replaced as a whole
         * @description With `scheduled_at` a draft is scheduled, and a scheduled campaign gets another time.
         */
        patch: operations["campaigns.update"];
        trace?: never;
    };
    "/v1/campaigns/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new draft from a campaign
         * @description With its list, content, variants, split and settings; without time, results and, unless asked for, the edited copies of single recipients. Any campaign can be duplicated, whatever its state.
         */
        post: operations["campaigns.duplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a campaign now, or at a time
         * @description The templates keep their present versions. The audience is the members of the list when sending begins.
         */
        post: operations["campaigns.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a campaign that is being sent
         * @description No more copies leave until it is resumed, not even those in the queue.
         */
        post: operations["campaigns.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with a paused campaign
         * @description Recipients with a copy get no other.
         */
        post: operations["campaigns.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a draft, a scheduled or a paused campaign
         * @description Copies that have not been delivered are canceled. This cannot be undone.
         */
        post: operations["campaigns.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a recipient’s copy to test addresses
         * @description Sends transactional messages with the tag `campaign_test`, which the campaign does not count. The addresses need not be contacts. The unsubscribe link is a sample.
         */
        post: operations["campaigns.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/resend-in-doubt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again the copies that may have arrived or not
         * @description A copy is in doubt when the connection or the program ended between the whole message and the answer. Each is tried again as the same message, with the same Message-ID, and is not counted again; a recipient who has it may get it twice. A second call finds none, until another attempt ends in doubt. Refused while the campaign is paused.
         */
        post: operations["campaigns.resendInDoubt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read each recipient's copy as it would be sent, newest contact first
         * @description Shows the copies exactly as they are sent; only the unsubscribe link is a sample. Recipients who get none are left out: suppressed, unsubscribed, bounced. Once the campaign is being sent, the stored copies are shown. `total` is counted again after half a minute.
         */
        get: operations["campaigns.preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/preflight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a campaign before it is sent
         * @description Checks the whole audience, makes a sample of the copies, and requests their links (HEAD, then GET).
         */
        get: operations["campaigns.preflight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the recipients with their copies, newest contact first; empty until it is being sent
         * @description Filters by results: `did=delivered&did_not=opened` lists the recipients who got it and have not opened it. Copies whose message was deleted by retention are only known as `skipped`.
         */
        get: operations["campaigns.listRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the copies that were edited, by address */
        get: operations["campaigns.listOverrides"];
        /** Edit one recipient's copy, of a draft or a scheduled campaign */
        put: operations["campaigns.putOverride"];
        post?: never;
        /** Take back the edit of one recipient's copy */
        delete: operations["campaigns.deleteOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sequences of the environment */
        get: operations["sequences.list"];
        put?: never;
        /** Create a sequence; it begins to enrol at once, unless it is created paused */
        post: operations["sequences.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a sequence */
        get: operations["sequences.get"];
        put?: never;
        post?: never;
        /** Delete a sequence; no contact gets another step, and messages that were made stay */
        delete: operations["sequences.delete"];
        options?: never;
        head?: never;
        /** Change a sequence, whatever its status; steps are replaced as a whole, and contacts stay at the step with the same id */
        patch: operations["sequences.update"];
        trace?: never;
    };
    "/v1/sequences/{id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the results of the enrolments, and of the mail of each step */
        get: operations["sequences.getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a sequence: no more steps, no more enrolments; mail that is already in the queue is sent */
        post: operations["sequences.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a sequence; contacts whose time came meanwhile continue at once */
        post: operations["sequences.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{id}/resend-in-doubt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again the messages of a sequence that may have arrived or not
         * @description As `POST /v1/campaigns/:id/resend-in-doubt` does. Enrolments stay where they are.
         */
        post: operations["sequences.resendInDoubt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{id}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the failed enrollments of a sequence
         * @description Each continues at the step where it failed, once the sequence is active. Contacts who were enrolled again since are left out.
         */
        post: operations["sequences.retryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{id}/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enrol a contact in a sequence, whatever its trigger; a paused one begins when it is resumed */
        post: operations["sequences.enroll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the enrolments of a sequence; with `status` a page may be short and have a next one */
        get: operations["sequences.listEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{id}/enrollments/{enrollment_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End an enrolment; mail that is already in the queue is sent */
        post: operations["sequences.cancelEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the results of the mail of a period
         * @description The mail of the key's environment. Every event counts on its own day (UTC): a message that was sent on Monday and opened on Tuesday is in both. One of `tag`, `campaign_id`, `provider` and `group_by` at a time: they are counted apart. Hours are counted of all mail and of campaigns. Tags, providers and hours have no history from before they were counted.
         */
        get: operations["analytics.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the results of a campaign
         * @description Rates, variants, links and series are counted from events, a second behind; `by_status` and `recipients` are read from the messages and the audience themselves.
         */
        get: operations["campaigns.getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find messages, contacts and everything else by a text or an id
         * @description Finds a few of each type. A text is searched in the newest 50,000 messages; a full address or an id finds all.
         */
        get: operations["search.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bounces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages that bounced, newest first, with the server's reply */
        get: operations["bounces.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bounces/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum bounces by category, provider and day, those that are our own fault apart
         * @description Counted from events, with a delay of a second, each on its own day (UTC). Relayed mail is included. There are no counts from before this release counted them.
         */
        get: operations["bounces.summarize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how much mail waits, and since when
         * @description At most some seconds old.
         */
        get: operations["queue.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the waiting mail by recipient domain, the most first
         * @description Paused destinations are listed even when nothing waits. The numbers are at most some seconds old; a destination whose depth changes between two pages may be seen twice or not at all.
         */
        get: operations["queue.listDestinations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/destinations/{domain}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try all deferred mail for a domain now
         * @description Includes held mail. Three kinds keep their time, and `waiting` counts them: mail with a later send_at, mail that may have arrived already, and mail whose last reply asked to wait (greylisting, a time that it names, a block list). Limits and pauses still apply. Allowed once a minute for each destination; sooner the answer is 429 with Retry-After.
         */
        post: operations["queue.retryDestination"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel or bounce waiting mail by a filter
         * @description All filters must hold. Messages that are being delivered right now are left alone. Copies of a paused campaign that were made wait in the queue too, and are taken. Large queues take several requests: `complete` tells.
         */
        post: operations["queue.purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/destinations/{domain}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause mail to a domain until it is resumed
         * @description Pauses mail of the whole environment, or of the sub-tenant that the key or X-Sub-Tenant-Id names. Mail is accepted and waits as long as the pause lasts, or until its own expires_at. Messages that are being delivered right now are not stopped.
         */
        post: operations["queue.pauseDestination"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/destinations/{domain}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume mail to a paused domain
         * @description Ends the pause of this scope. A pause of the whole environment stays when that of a sub-tenant ends.
         */
        post: operations["queue.resumeDestination"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the limits that mail hosts have set by their replies
         * @description The limits apply to paths, for all mail on them, and end by themselves.
         */
        get: operations["queue.listOverrides"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/overrides/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Lift a limit before its time
         * @description With a live key of permission `admin` of the operator, or as an admin, not narrowed to a sub-tenant.
         */
        delete: operations["queue.deleteOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the addresses and smarthosts that mail leaves by, with pools, warm-up and limits
         * @description In the order of their names. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant.
         */
        get: operations["sources.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{name}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let no mail leave by a source or smarthost until it is resumed
         * @description Applies at once: mail takes the other members of its pools, or the next way of its route, and waits where there is none. A transaction that has begun ends there; nothing begins any more. Suspended again, it has the new reason and end. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant, in live.
         */
        post: operations["sources.suspend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let mail leave by a suspended source again
         * @description Does nothing where it is not suspended. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant, in live.
         */
        post: operations["sources.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read sources, pools, routes, smarthosts, shaping, providers and bounce rules again
         * @description From the configuration file and the rule data, as SIGHUP does; other settings need a restart. A mistake in them changes nothing: 422 names each with its place. Mail that is past DATA ends as it began, the rest goes back to its queue for a moment; accepting goes on. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant, in live.
         */
        post: operations["system.reload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/destinations/{domain}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the SMTP conversations with a destination as attempts end
         * @description The first question begins the trace, and it ends 30 seconds after the last one: ask each second with `after`. It holds the newest 200 attempts, of every workspace, without content and credentials. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant, in live.
         */
        get: operations["queue.traceDestination"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the routes that the operator has put before those of the egress file
         * @description In the order in which they are looked at, the newest first; the first that fits counts. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant.
         */
        get: operations["routes.list"];
        put?: never;
        /**
         * Give mail another way than the egress file does
         * @description Applies at once, to waiting mail too; deferred mail keeps its time (POST /v1/queue/destinations/{domain}/retry makes it go now). It comes before all other routes. With `tags`, mail whose usual way is closed waits for that way to open, as with routes of the file. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant, in live.
         */
        post: operations["routes.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a route of the operator away
         * @description Mail goes by the other routes again, at once. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant, in live.
         */
        delete: operations["routes.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate the outcome of a sandbox message, or an action of its recipient
         * @description With a test key, once the message has been sent and its own steps are over. Trail, events, webhooks and statistics are those of live mail; nothing that is simulated suppresses an address or takes anybody off a list. A message of live mail is refused with 409 `not_sandbox`, an event that cannot follow with 409 `outcome_impossible`.
         */
        post: operations["messages.simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the addresses of the mailbox simulator, and what each does */
        get: operations["messages.listSandboxAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link to a page that shows the delivery of a message, with reasons
         * @description Anybody with the link sees the page, without a key, until the link expires or is deleted. The page shows nothing else and changes nothing. The link is shown once. Without `include_content` it shows neither subject nor text.
         */
        post: operations["shareLinks.createForMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sub-tenants/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link to a page with the DNS records of its domain, as they are found at the moment
         * @description Anybody with the link sees the page, without a key, until the link expires or is deleted. The page shows nothing else and changes nothing. The link is shown once.
         */
        post: operations["shareLinks.createForSubTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/senders/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link to a page with the DNS records of its domain, as they are found at the moment
         * @description Anybody with the link sees the page, without a key, until the link expires or is deleted. The page shows nothing else and changes nothing. The link is shown once. Only for senders that are domains: an address has no records.
         */
        post: operations["shareLinks.createForSender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/share-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List share links, those that ended in the last 30 days included */
        get: operations["shareLinks.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/share-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a share link at once; it stays in the list as revoked */
        delete: operations["shareLinks.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can the appliance send mail?
         * @description Checks reverse DNS, SPF, DKIM, port 25, disk and the like when the server starts and every hour. Only for people and keys of permission `admin` in the operator's own workspace, not narrowed to a sub-tenant.
         */
        get: operations["health.getChecks"];
        put?: never;
        /**
         * Run all checks now
         * @description Answers when the checks have ended, after some seconds. Requests during the run get the same answer; within a minute after it they are refused with `rate_limited` and `Retry-After`.
         */
        post: operations["health.runChecks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the release, the relay's address, the limits, and the news
         * @description Every port is shown to the operator only: to people and keys of the first workspace. `plan` is null for a request that is narrowed to a sub-tenant.
         */
        get: operations["system.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the nodes that work on the database
         * @description Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant. Empty where SQLite keeps the data: the server is alone then.
         */
        get: operations["nodes.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the server is doing: live mail, sessions, limits, processor, memory, database
         * @description Rates are the differences between two answers. Only for people and keys of permission `admin` in the operator’s own workspace, not narrowed to a sub-tenant, in live.
         */
        get: operations["system.getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description A page may be shorter than `limit` while `has_more` is true.
         */
        get: operations["contacts.list"];
        put?: never;
        /** Add a contact (201), or change the one with this address (200): fields not given stay */
        post: operations["contacts.upsert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a contact */
        get: operations["contacts.get"];
        put?: never;
        post?: never;
        /** Delete a contact; its suppressions stay */
        delete: operations["contacts.delete"];
        options?: never;
        head?: never;
        /** Change a contact; tags and metadata are replaced as a whole */
        patch: operations["contacts.update"];
        trace?: never;
    };
    "/v1/contacts/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened with a contact, newest first
         * @description Lists the trail entries of mail to and from its address in the environment of the key, and its lists. Of more than 2,000 messages in either direction, the newest count.
         */
        get: operations["contacts.listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressed addresses
         * @description With `q` a page may be shorter than `limit` while `has_more` is true.
         */
        get: operations["suppressions.list"];
        put?: never;
        /**
         * Suppress an address: 201, or 200 with the suppression that is there already
         * @description An existing suppression keeps its reason. Without `sub_tenant_id` the suppression applies to every sub-tenant.
         */
        post: operations["suppressions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the suppressed addresses, as CSV or JSON lines
         * @description What was exported can be imported. In CSV an apostrophe stands before a cell that a spreadsheet would take for a formula; the import takes it away again.
         */
        get: operations["suppressions.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether an address is suppressed
         * @description Answers for mail of the workspace itself. With `sub_tenant_id`, or a key pinned to one, for mail of that sub-tenant, its own rows included.
         */
        get: operations["suppressions.check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Lift the suppression of an address
         * @description A contact of the same owner that is `bounced`, `complained` or `unsubscribed` becomes `active` again.
         */
        delete: operations["suppressions.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the organization */
        get: operations["organization.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the organization
         * @description With a live key of permission `admin`, or as an admin who has signed in.
         */
        patch: operations["organization.update"];
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of the workspace, both environments */
        get: operations["apiKeys.list"];
        put?: never;
        /** Make an API key; the answer shows its secret, once */
        post: operations["apiKeys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an API key, without its secret */
        get: operations["apiKeys.get"];
        put?: never;
        post?: never;
        /** Revoke an API key; it stops working at once */
        delete: operations["apiKeys.revoke"];
        options?: never;
        head?: never;
        /** Change the name, the addresses or the end of an API key; active at once */
        patch: operations["apiKeys.update"];
        trace?: never;
    };
    "/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a key that takes the place of this one; both work for a while
         * @description The new key has the same name, permission, environment, sub-tenant and addresses, and as long a life as the old one was given. Its secret is shown here only.
         */
        post: operations["apiKeys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workspaces: of a key its own, of a person and an admin key those of the organization */
        get: operations["workspaces.list"];
        put?: never;
        /**
         * Make a workspace with a live and a test environment, and its first keys when asked for
         * @description Needs a live key of permission `admin` that is not pinned, or a signed-in admin. The new keys have permission `full`, expire no later than the calling key, and may be used from the same addresses only.
         */
        post: operations["workspaces.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a workspace */
        get: operations["workspaces.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename a workspace, or set how long its messages are kept */
        patch: operations["workspaces.update"];
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what, newest first
         * @description Lists every change through the API. Messages that were sent are left out: each has its own trail. A key sees its workspace; a key of permission `admin`, and a person, also the organization. A pinned key sees changes for its sub-tenant, a test key changes in test.
         */
        get: operations["auditLog.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests to the API, newest first
         * @description Lists the requests of the environment or, when narrowed, of the sub-tenant. In each minute 300 failures, 60 changes and 30 reads are kept, for 30 days or the time in MAILKEEL_REQUEST_LOG_KEEP. Public operations and reads of this list are left out.
         */
        get: operations["requests.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what the columns of a file become
         * @description Reads the first rows of the file and changes nothing. The first 128 KiB of the file are enough.
         */
        post: operations["imports.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suppress many addresses at once, from CSV or JSON
         * @description The body may be as large as MAILKEEL_IMPORT_SIZE_LIMIT. Entries are kept 500 at a time: when the request ends early, those that were kept stay, and the same body can be sent again. An entry that is wrong is counted as `failed` and keeps no other from being added. A body in which no entry can be read is refused. With curl use `--data-binary`.
         */
        post: operations["suppressions.import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "message.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Passed to a delivery session for the first time. */
        post: operations["on.message.sent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accepted by the recipient's server. */
        post: operations["on.message.delivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The tracking pixel was fetched. */
        post: operations["on.message.opened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.clicked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A tracked link was followed. */
        post: operations["on.message.clicked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.bounced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Will not be delivered; the message says why. */
        post: operations["on.message.bounced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.complained": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The recipient marked it as spam. */
        post: operations["on.message.complained"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Could not be sent. */
        post: operations["on.message.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.suppressed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Not sent: the address is suppressed. */
        post: operations["on.message.suppressed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recipient.suppressed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The address was put onto the suppression list; data.id is the message that it is for. */
        post: operations["on.recipient.suppressed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A reply was received; data.id is the id of the reply. */
        post: operations["on.message.received"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.deferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An attempt failed and will be repeated. Only for endpoints that name it. */
        post: operations["on.message.deferred"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.unsubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The recipient unsubscribed. Only for endpoints that name it. */
        post: operations["on.message.unsubscribed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.warned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A sub-tenant's complaint rate reached the level of a warning. */
        post: operations["on.tenant.warned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.throttled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A sub-tenant was slowed down to 60 sends an hour. */
        post: operations["on.tenant.throttled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A sub-tenant's live mail is held until it is resumed. */
        post: operations["on.tenant.paused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A sub-tenant's rates are back within the limits. */
        post: operations["on.tenant.recovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.dns_drifted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A sub-tenant's DKIM record no longer resolves; a grace period runs. */
        post: operations["on.tenant.dns_drifted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.dns_suspended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The grace period is over; live sends are refused and queued mail is held. */
        post: operations["on.tenant.dns_suspended"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.dns_recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The DKIM record resolves again. */
        post: operations["on.tenant.dns_recovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.dkim_rotation_started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new DKIM key waits for its record. */
        post: operations["on.tenant.dkim_rotation_started"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tenant.dkim_rotation_completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The new DKIM key signs. */
        post: operations["on.tenant.dkim_rotation_completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "suppression.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An address was put onto the suppression list, not by an import or a bulk action. Only for endpoints that name it. */
        post: operations["on.suppression.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "suppression.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An address was taken off the suppression list. Only for endpoints that name it. */
        post: operations["on.suppression.deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was added, not by an import. Only for endpoints that name it. */
        post: operations["on.contact.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was changed, not by an import or a bulk action. Only for endpoints that name it. */
        post: operations["on.contact.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.unsubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact became unsubscribed, or left a list by their own doing. Only for endpoints that name it. */
        post: operations["on.contact.unsubscribed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was deleted, not by a bulk action. Only for endpoints that name it. */
        post: operations["on.contact.deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was deleted with all data of the person. Only for endpoints that name it. */
        post: operations["on.contact.erased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A domain was verified; data.id is the sender, or the sub-tenant whose sending domain it is. Only for endpoints that name it. */
        post: operations["on.domain.verified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A domain was not verified in time, and is not looked at again until asked; data.id as for domain.verified. Only for endpoints that name it. */
        post: operations["on.domain.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.drifted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The DKIM record of a sender's domain no longer resolves; a grace period runs. Only for endpoints that name it. */
        post: operations["on.domain.drifted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.suspended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail from a sender's domain is held: the grace period is over, or another workspace has proved the domain. Only for endpoints that name it. */
        post: operations["on.domain.suspended"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The DKIM record of a sender's domain resolves again. Only for endpoints that name it. */
        post: operations["on.domain.recovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A campaign got a time, or another. Only for endpoints that name it. */
        post: operations["on.campaign.scheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A campaign began to be sent. Only for endpoints that name it. */
        post: operations["on.campaign.started"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A campaign was paused, or has paused itself; the campaign says why. Only for endpoints that name it. */
        post: operations["on.campaign.paused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A paused campaign goes on. Only for endpoints that name it. */
        post: operations["on.campaign.resumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Every message of a campaign has been attempted at least once. Only for endpoints that name it. */
        post: operations["on.campaign.sent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A campaign was canceled. Only for endpoints that name it. */
        post: operations["on.campaign.canceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An import of contacts has ended. Only for endpoints that name it. */
        post: operations["on.import.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An import of contacts was given up; the import says why. Only for endpoints that name it. */
        post: operations["on.import.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An import of contacts was canceled. Only for endpoints that name it. */
        post: operations["on.import.canceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The file of an export is complete. Only for endpoints that name it. */
        post: operations["on.export.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An export was given up; the export says why. Only for endpoints that name it. */
        post: operations["on.export.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An export was canceled. Only for endpoints that name it. */
        post: operations["on.export.canceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_action.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A bulk action has ended. Only for endpoints that name it. */
        post: operations["on.bulk_action.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_action.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A bulk action was given up; the bulk action says why. Only for endpoints that name it. */
        post: operations["on.bulk_action.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_action.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A bulk action was canceled. Only for endpoints that name it. */
        post: operations["on.bulk_action.canceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Activity: {
            /** @constant */
            object: "activity";
            /** Format: date-time */
            at: string;
            /**
             * Format: date-time
             * @description Of the four numbers of live mail. They begin with the first question, and end half a minute after the last.
             */
            counted_since: string;
            accepted: number;
            delivered: number;
            deferred: number;
            bounced: number;
            /** @description Open ones with receiving servers. */
            sessions: components["schemas"]["ActivitySessions"][];
            /** @description Active ones on paths: GET /v1/queue/overrides. */
            limits: number;
            suspended_sources: string[];
            /** @description Of the operator: GET /v1/routes. */
            routes: number;
            uptime_seconds: number;
            /** @description Processor time of all threads since the start. */
            cpu_seconds: number;
            memory_bytes: number;
            database: components["schemas"]["ActivityDatabase"] | null;
        };
        ActivityDatabase: {
            bytes: number;
            free_bytes: number;
            log_bytes: number;
            /** @description Median of up to 28 days, of the data in it; null before the fourth day. */
            growth_bytes_per_day: number | null;
            /** Format: date-time */
            disk_full_at: string | null;
        };
        ActivitySessions: {
            provider: string | null;
            source: string;
            open: number;
        };
        /** @enum {string} */
        Actor: "api" | "api_key" | "user" | "system" | "worker" | "provider" | "recipient";
        /** @description A request that the advice suggests. Calls of one advice are made in their order. */
        AdviceCall: {
            operation: components["schemas"]["AdviceOperation"];
            method: string;
            /** @description With the ids filled in. */
            path: string;
            /** @description Value of the header `X-Sub-Tenant-Id`; `null`: leave the header out. */
            sub_tenant_id: string | null;
        };
        /** @enum {string} */
        AdviceCode: "nothing" | "wait" | "wait_quietly" | "resend" | "resend_deliberately" | "raise_lifetime" | "send_sooner" | "check_address" | "lift_suppression" | "respect_complaint" | "respect_unsubscribe" | "check_domain" | "check_dns_servers" | "check_port_25" | "check_source_network" | "add_address_family" | "check_own_names" | "check_private_mx" | "check_smarthost" | "ask_smarthost" | "ask_postmaster" | "other_channel" | "slow_down" | "remove_override" | "release_restored" | "resume_destination" | "resume_sub_tenant" | "resume_workspace" | "retry_destination" | "publish_ptr" | "delist" | "mend_reputation" | "publish_spf" | "publish_dkim" | "publish_dmarc" | "change_content" | "remove_attachment" | "shrink" | "ascii_address" | "tell_about_tls" | "ask_for_policy" | "check_trust" | "relax_require_tls" | "relax_tls" | "verify_sender" | "prove_sender" | "recover_tenant" | "resume_campaign" | "raise_throttle" | "fix_signing" | "ask_operator" | "add_source" | "resume_source" | "configure_source" | "retry_template" | "live_key";
        /** @enum {string} */
        AdviceOperation: "messages.retry" | "messages.resend" | "messages.update" | "messages.cancel" | "messages.listAttempts" | "suppressions.delete" | "organization.update" | "queue.listOverrides" | "queue.deleteOverride" | "queue.resumeDestination" | "queue.retryDestination" | "senders.list" | "senders.getAuthentication" | "senders.verify" | "subTenants.getAuthentication" | "subTenants.verify" | "subTenants.getAudit" | "subTenants.getReputation" | "subTenants.update" | "campaigns.resume" | "sources.list" | "sources.resume";
        /** @enum {string} */
        AlertFormat: "event" | "slack";
        /** @enum {string} */
        AlertName: "host_check_failed" | "disk_filling" | "backup_failed" | "database_damaged" | "certificate_expiring" | "node_missing" | "inbound_failed" | "outbound_held" | "queue_late" | "webhooks_late" | "webhook_disabled" | "sub_tenant_throttled" | "sub_tenant_paused" | "domain_drifted";
        AlertNotice: {
            id: string;
            /** @constant */
            object: "alert_notice";
            /** @enum {string} */
            alert: "host_check_failed" | "disk_filling" | "backup_failed" | "database_damaged" | "certificate_expiring" | "node_missing" | "inbound_failed" | "outbound_held" | "queue_late" | "webhooks_late" | "webhook_disabled" | "sub_tenant_throttled" | "sub_tenant_paused" | "domain_drifted" | "test";
            title: string;
            detail: string;
            /** @description Page of the dashboard. */
            path: string;
            /** @enum {string} */
            stage: "opened" | "closed";
            way: components["schemas"]["AlertWay"];
            /** @enum {string} */
            status: "pending" | "sent" | "failed";
            error: string | null;
            attempts: number;
            /** Format: date-time */
            attempted_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        AlertNoticeList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AlertNotice"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        AlertQuietHours: {
            /** @description 24-hour time of day. */
            from: string;
            /** @description 24-hour time of day. */
            to: string;
            /** @description Name of the IANA database. */
            time_zone: string;
            /** @description Send urgent alerts in quiet hours, too. */
            urgent_passes: boolean;
        };
        AlertSettings: {
            /** @constant */
            object: "alert_settings";
            mail_alerts: components["schemas"]["AlertName"][];
            webhook: components["schemas"]["AlertWebhook"] | null;
            quiet_hours: components["schemas"]["AlertQuietHours"] | null;
            /** @description Why the server cannot send alerts by mail; null when it can. */
            mail_problem: string | null;
            /** @description Alerts that may be urgent. */
            urgent_alerts: components["schemas"]["AlertName"][];
        };
        AlertSettingsUpdate: {
            mail_alerts?: components["schemas"]["AlertName"][];
            webhook?: {
                /** @description http(s), leading to a public address. */
                url: string;
                /** @description Default `"event"`. */
                format?: components["schemas"]["AlertFormat"];
                alerts: components["schemas"]["AlertName"][];
            } | null;
            quiet_hours?: components["schemas"]["AlertQuietHours"] | null;
        };
        AlertTest: {
            way: components["schemas"]["AlertWay"];
        };
        AlertTested: {
            /** @constant */
            object: "alert_test";
            id: string;
        };
        /** @enum {string} */
        AlertWay: "mail" | "webhook";
        AlertWebhook: {
            /** Format: uri */
            url: string;
            /** @description `event`: an event with the alerts as objects. `slack`: `{"text": "…"}`, which Slack and compatible services take. */
            format: components["schemas"]["AlertFormat"];
            alerts: components["schemas"]["AlertName"][];
            /** @description Signs every post. Shown only in the answer that sets a new URL. */
            secret: string | null;
        };
        Analytics: {
            /** @constant */
            object: "analytics";
            /** @description Days (UTC) of the time that the answer covers. */
            window_days: number;
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Exclusive: the end of the last unit.
             */
            to: string;
            unit: components["schemas"]["AnalyticsUnit"];
            sub_tenant_id: string | null;
            type: components["schemas"]["MessageType"] | null;
            /** @description False while events wait to be counted: for a second after they happen, longer after an upgrade. */
            up_to_date: boolean;
            funnel: components["schemas"]["AnalyticsFunnel"];
            rates: components["schemas"]["AnalyticsRates"];
            machine: components["schemas"]["MachineEvents"];
            totals: components["schemas"]["AnalyticsTotals"];
            /** @description One row for each unit (UTC), oldest first; `at` is its beginning. */
            series: components["schemas"]["AnalyticsPoint"][];
            group_by: components["schemas"]["AnalyticsGroupBy"] | null;
            /** @description Most sent first, at most 100. Null without `group_by`. */
            groups: {
                /** @description The tag, the id, the provider or the type. Null: mail without a sub-tenant; tags after the first 1,000 different ones of an environment. */
                key: string | null;
                /** @description Of a campaign or a sub-tenant. */
                name: string | null;
                queued: number;
                sent: number;
                delivered: number;
                deferred: number;
                opened: number;
                clicked: number;
                opens: number;
                clicks: number;
                machine_opened: number;
                machine_clicked: number;
                machine_opens: number;
                machine_clicks: number;
                bounced: number;
                hard_bounced: number;
                complained: number;
                unsubscribed: number;
                replied: number;
                failed: number;
                suppressed: number;
                canceled: number;
                rates: components["schemas"]["AnalyticsRates"];
            }[] | null;
            has_more_groups: boolean;
        };
        /** @description Opened and clicked are people, each message once; machines are not among them. */
        AnalyticsFunnel: {
            queued: number;
            sent: number;
            delivered: number;
            opened: number;
            clicked: number;
        };
        /** @enum {string} */
        AnalyticsGroupBy: "tag" | "campaign" | "sub_tenant" | "provider" | "type";
        AnalyticsPoint: {
            /** Format: date */
            date: string;
            /** Format: date-time */
            at: string;
            queued: number;
            sent: number;
            delivered: number;
            deferred: number;
            opened: number;
            clicked: number;
            opens: number;
            clicks: number;
            machine_opened: number;
            machine_clicked: number;
            machine_opens: number;
            machine_clicks: number;
            bounced: number;
            hard_bounced: number;
            complained: number;
            unsubscribed: number;
            replied: number;
            failed: number;
            suppressed: number;
            canceled: number;
        };
        /** @description Shares of 1, rounded to six places; null when the denominator is 0. Every event counts on its own day, so in a short window a share may be above 1. */
        AnalyticsRates: {
            /** @description delivered / sent */
            delivery: number | null;
            /** @description opened / delivered */
            open: number | null;
            /** @description clicked / delivered */
            click: number | null;
            /** @description clicked / opened */
            click_to_open: number | null;
            /** @description bounced / sent */
            bounce: number | null;
            /** @description complained / delivered */
            complaint: number | null;
            /** @description unsubscribed / delivered */
            unsubscribe: number | null;
        };
        AnalyticsTotals: {
            /** @description Messages that were accepted, scheduled and suppressed ones too. */
            queued: number;
            /** @description Messages that were passed to a delivery session. */
            sent: number;
            /** @description Messages that the recipient's server accepted. */
            delivered: number;
            /** @description Attempts that will be repeated. */
            deferred: number;
            /** @description Messages that a person opened, or clicked in, each once. */
            opened: number;
            /** @description Messages in which a person clicked a link, each once. */
            clicked: number;
            /** @description All opens by people. */
            opens: number;
            /** @description All clicks by people. */
            clicks: number;
            /** @description Messages that a known machine opened, each once. */
            machine_opened: number;
            /** @description Messages in which a known machine followed a link, each once. */
            machine_clicked: number;
            /** @description All opens by known machines. */
            machine_opens: number;
            /** @description All clicks by known machines. */
            machine_clicks: number;
            /** @description Messages that bounced. */
            bounced: number;
            /** @description Bounces because the address takes no mail. */
            hard_bounced: number;
            /** @description Messages that were reported as spam. */
            complained: number;
            /** @description Messages through which a recipient unsubscribed, from a list or from all mail. */
            unsubscribed: number;
            /** @description Messages that a person answered. */
            replied: number;
            /** @description Messages that could not be sent. */
            failed: number;
            /** @description Messages that were not sent to a suppressed address. */
            suppressed: number;
            /** @description Messages that were canceled. */
            canceled: number;
        };
        /** @enum {string} */
        AnalyticsUnit: "hour" | "day" | "week" | "month";
        ApiKey: {
            id: string;
            /** @constant */
            object: "api_key";
            name: string;
            permission: components["schemas"]["KeyPermission"];
            mode: components["schemas"]["Environment"];
            sub_tenant_id: string | null;
            /** @description The first characters of the secret. */
            key_prefix: string;
            /** @description Id of the person who made the key, or whose key made it; null if the operator did. The key can do no more than this person may, and is revoked when this person leaves the organization. */
            made_by: string | null;
            made_by_email: string | null;
            allowed_ips: string[] | null;
            /** Format: date-time */
            expires_at: string | null;
            /** @description The key that took its place; this one works until `expires_at`. */
            replaced_by: string | null;
            /**
             * Format: date-time
             * @description To the minute; null when it was never used.
             */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ApiKeyCreate: {
            name: string;
            /** @description `send`: send messages and read them. `read`: read everything. `full`: all of the workspace. `admin`: besides, what concerns the whole organization; made by a person who has signed in, or by `mailkeel admin keys create`. Default `"full"`. */
            permission?: components["schemas"]["KeyPermission"];
            /** @description The environment; that of the calling key unless given. */
            mode?: components["schemas"]["Environment"];
            /** @description Pins the key to a sub-tenant: it reaches no other objects. */
            sub_tenant_id?: string | null;
            /** @description ISO 8601 with offset. */
            expires_at?: string | null;
            /** @description Client addresses or CIDR ranges that may use the key. */
            allowed_ips?: string[] | null;
        };
        ApiKeyCreated: {
            id: string;
            /** @constant */
            object: "api_key";
            name: string;
            permission: components["schemas"]["KeyPermission"];
            mode: components["schemas"]["Environment"];
            sub_tenant_id: string | null;
            /** @description The first characters of the secret. */
            key_prefix: string;
            /** @description Id of the person who made the key, or whose key made it; null if the operator did. The key can do no more than this person may, and is revoked when this person leaves the organization. */
            made_by: string | null;
            made_by_email: string | null;
            allowed_ips: string[] | null;
            /** Format: date-time */
            expires_at: string | null;
            /** @description The key that took its place; this one works until `expires_at`. */
            replaced_by: string | null;
            /**
             * Format: date-time
             * @description To the minute; null when it was never used.
             */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The key itself. It is shown here and never again. */
            secret: string;
        };
        ApiKeyDeleted: {
            id: string;
            /** @constant */
            object: "api_key";
            /** @constant */
            deleted: true;
        };
        ApiKeyList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ApiKey"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ApiKeyRotate: {
            /** @description How long the old key works beside the new one: `24h`, `90m`, at most `30d`; `0` ends it at once. */
            overlap?: string;
        };
        ApiKeyUpdate: {
            name?: string;
            /** @description ISO 8601 with offset. */
            expires_at?: string | null;
            /** @description Client addresses or CIDR ranges that may use the key. */
            allowed_ips?: string[] | null;
        };
        /** @description Counts messages by requests with the key and by relayed mail, one for each recipient, when they are accepted, in the sandbox too. Campaigns and sequences count for no key. */
        ApiKeyUsage: {
            /** @constant */
            object: "api_key_usage";
            api_key_id: string;
            name: string;
            permission: components["schemas"]["KeyPermission"];
            mode: components["schemas"]["Environment"];
            sub_tenant_id: string | null;
            /**
             * Format: date-time
             * @description To the minute, of any request; null when it was never used.
             */
            last_used_at: string | null;
            /** @description The sum of all requested days. */
            messages: number;
            /** @description The oldest first; days without a message are left out. */
            days: components["schemas"]["ApiKeyUsageDay"][];
        };
        ApiKeyUsageDay: {
            /**
             * Format: date
             * @description A day, UTC.
             */
            date: string;
            messages: number;
        };
        ApiKeyUsageList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ApiKeyUsage"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Attachment: {
            filename: string;
            content_type: string;
            /** @description Bytes of the file itself. */
            size: number;
            content_id: string | null;
            /** @description Lower-case hex. */
            sha256: string;
        };
        AttachmentInput: {
            filename: string;
            /** @description The file in base64 (RFC 4648 section 4), without line breaks. */
            content: string;
            /** @description A media type; taken from the file name when it is not given. */
            content_type?: string;
            /** @description Shows the file where the html names it by `cid:`. A file that the html does not name is an attachment. Without angle brackets. */
            content_id?: string;
        };
        /** @description One attempt to deliver a message. */
        Attempt: {
            /** @constant */
            object: "attempt";
            message_id: string;
            /** @description From 1. */
            number: number;
            /** Format: date-time */
            at: string;
            /** @description `ambiguous`: the whole message was written, and no reply came. `delivered` by a smarthost means that the smarthost accepted it. */
            outcome: components["schemas"]["AttemptOutcome"];
            phase: string | null;
            /** @description The SMTP reply code; null when no reply came. */
            code: number | null;
            /** @description RFC 3463, such as 4.7.1. */
            enhanced_code: string | null;
            category: components["schemas"]["ErrorCategory"] | null;
            /** @description The reply of the peer, or the network error. */
            reply: string;
            /** @description The name of the sending address, or of the smarthost. */
            source: string;
            via: components["schemas"]["Provider"];
            host: string | null;
            address: string | null;
            local_address: string | null;
            tls: components["schemas"]["AttemptTls"] | null;
            /** @description The TLS policy of the session, also where there was no TLS. */
            tls_policy?: string | null;
            /** @description Milliseconds by phase. */
            times: {
                [key: string]: number;
            } | null;
            /** @description From the signed copy to the outcome. */
            duration_ms: number | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Attempts with the same one shared a connection. */
            session_id: string | null;
            conversation: components["schemas"]["AttemptConversation"];
        };
        /** @description Line by line: `> ` ours, `< ` theirs, `* ` what happened to the connection. Passwords are masked, the message is left out. */
        AttemptConversation: {
            /** @description How the session began, shared by its attempts. */
            opening: string[] | null;
            transaction: string[];
        };
        AttemptList: {
            /** @constant */
            object: "list";
            /** @description Newest last; of more than 200 the last 200. */
            data: components["schemas"]["Attempt"][];
            /** @description Earlier attempts are left out. */
            has_more: boolean;
            next_cursor: null;
        };
        /** @enum {string} */
        AttemptOutcome: "delivered" | "deferred" | "bounced" | "failed" | "ambiguous" | "held";
        /** @description TLS of the session; null without it. */
        AttemptTls: {
            version: string;
            cipher: string;
            verified: boolean;
            /** @description Why the certificate did not verify. */
            error: string | null;
            /** @description `dane`, `tlsa_unusable`, `sts`, `configured`, `require_tls` or `opportunistic`. */
            policy: string;
        };
        AuditActor: {
            /** @description `operator`: somebody at the machine itself. */
            kind: components["schemas"]["AuditActorKind"];
            /** @description Null where the caller is not authenticated. */
            id: string | null;
        };
        /** @enum {string} */
        AuditActorKind: "api_key" | "user" | "operator";
        /** @description A change, written in the transaction of the change itself. */
        AuditEntry: {
            id: string;
            /** @constant */
            object: "audit_entry";
            /** @description The operation, by its operationId; also `auth.signIn` and the like. */
            action: string;
            actor: components["schemas"]["AuditActor"];
            /** @description The object that was changed or made. */
            target_id: string | null;
            /** @description `fields` of the request and those `values` that are neither secret nor personal. */
            detail: {
                [key: string]: unknown;
            };
            /** @description Null for what is the organization’s. */
            workspace_id: string | null;
            sub_tenant_id: string | null;
            mode: components["schemas"]["Environment"] | null;
            /** @description Shown to keys of a sub-tenant only for their own requests. */
            ip: string | null;
            request_id: string | null;
            /** Format: date-time */
            occurred_at: string;
        };
        AuditEntryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AuditEntry"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Bounce: {
            /** @constant */
            object: "bounce";
            message_id: string;
            /** Format: email */
            to: string;
            subject: string;
            message_type: components["schemas"]["MessageType"];
            type: components["schemas"]["BounceType"];
            category: components["schemas"]["BounceCategory"];
            /** @description `recipient`: the address takes no mail. `sender`: the sender was refused, for reputation, authentication, content or rate. `delivery`: the route failed. */
            cause: components["schemas"]["BounceCause"];
            code: number | null;
            enhanced_code: string | null;
            /** @description The server's words. */
            reply: string;
            remote_host: string | null;
            campaign_id: string | null;
            sub_tenant_id: string | null;
            /** Format: date-time */
            occurred_at: string;
        };
        /** @enum {string} */
        BounceCategory: "invalid_recipient" | "inactive_mailbox" | "bad_domain" | "quota" | "greylist" | "rate_limited" | "spam_block" | "spam_content" | "auth_failed" | "policy" | "tls" | "too_large" | "network" | "protocol" | "expired" | "ambiguous" | "unknown";
        /** @enum {string} */
        BounceCause: "recipient" | "sender" | "delivery";
        BounceCauseCounts: {
            recipient: number;
            sender: number;
            delivery: number;
        };
        BounceDay: {
            /** Format: date */
            date: string;
            recipient: number;
            sender: number;
            delivery: number;
        };
        BounceGroup: {
            category: components["schemas"]["BounceCategory"];
            /** @description `recipient`: the address takes no mail. `sender`: the sender was refused, for reputation, authentication, content or rate. `delivery`: the route failed. */
            cause: components["schemas"]["BounceCause"];
            type: components["schemas"]["BounceType"];
            /** @description Provider of the recipients' mail servers; `unknown` for other ones. */
            provider: string;
            bounces: number;
        };
        BounceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Bounce"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        BounceSummary: {
            /** @constant */
            object: "bounce_summary";
            window_days: number;
            /** @description False while events wait to be counted. */
            up_to_date: boolean;
            total: number;
            causes: components["schemas"]["BounceCauseCounts"];
            /** @description By category and provider, most bounces first. */
            groups: components["schemas"]["BounceGroup"][];
            /** @description One row for each day of the window (UTC), oldest first. */
            series: components["schemas"]["BounceDay"][];
        };
        /** @enum {string} */
        BounceType: "hard" | "soft";
        /** @description Of the pages that recipients see: sign-up, confirmation, preferences, unsubscribe, shared pages. What is null for a sub-tenant is as for its organization. */
        Branding: {
            /** @description Shown at the head of the pages. */
            name: string | null;
            /**
             * Format: uri
             * @description Where the logo is served; it changes with the logo.
             */
            logo_url: string | null;
            /** @description Of buttons and links, as `#rrggbb`. */
            color: string | null;
            /**
             * Format: uri
             * @description Link of the head of the pages.
             */
            website_url: string | null;
            /** @description Shown at the foot of the pages; null: the organization's postal address. */
            postal_address: string | null;
            /** @description Of the pages; null: the one that the browser of the reader asks for. */
            language: components["schemas"]["PageLanguage"] | null;
            /**
             * Format: uri
             * @description The privacy policy, linked in a line of consent where people sign up; null: no line.
             */
            privacy_url: string | null;
        };
        /** @description Fields that are not given do not change; null clears one. */
        BrandingUpdate: {
            name?: string | null;
            /** @description A PNG or SVG picture in base64, at most 64 KiB, shown up to 56 pixels high. It is kept and served here, so that the pages ask no other host; null removes it. */
            logo?: string | null;
            /** @description Made darker or lighter where it could not be read on the ground of the page. */
            color?: string | null;
            /** @description With http or https. */
            website_url?: string | null;
            postal_address?: string | null;
            /** @description Of the pages; null: the one that the browser of the reader asks for. */
            language?: components["schemas"]["PageLanguage"] | null;
            /** @description With http or https. */
            privacy_url?: string | null;
        };
        BulkAction: {
            id: string;
            /** @constant */
            object: "bulk_action";
            target: components["schemas"]["BulkActionTarget"];
            action: components["schemas"]["BulkActionName"];
            /** @description As it was asked for. */
            filter: {
                [key: string]: unknown;
            };
            tags: string[];
            /** @description Of `suppress`. */
            reason: components["schemas"]["SuppressionReason"] | null;
            status: components["schemas"]["TransferStatus"];
            sub_tenant_id: string | null;
            /** @description Number of objects; null until they are found. Later matches are not changed. */
            total: number | null;
            /** @description Number of processed objects: the sum of the three below. */
            processed: number;
            done: number;
            /** @description Objects that were in that state already, or are deleted. */
            skipped: number;
            /** @description Were refused; `failures` says why. */
            failed: number;
            /** @description By code. */
            failures: components["schemas"]["BulkActionFailure"][];
            /** @description Why it ended early, as a sentence. */
            error: string | null;
            /** @description Why it waits, as a sentence, when the server is short of disk space. It resumes automatically. */
            paused_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        /** @description The filters of the list of the same objects; with none of them everything matches. */
        BulkActionContactFilter: {
            /** @description A date, or ISO 8601 with an offset; inclusive. */
            created_after?: string;
            /** @description A date, or ISO 8601 with an offset; exclusive. */
            created_before?: string;
            /** @description Part of the address or name; of one or two letters, the beginning of the address or of a word of the name. */
            q?: string;
            tag?: string;
            /** @description Several with commas between them: any of these. */
            status?: components["schemas"]["ContactStatus"][];
            /** @description Subscribed to this list, or in this segment. */
            list_id?: string;
        };
        BulkActionFailure: {
            /** @description Of the error that the operation on a single one answers. */
            code: string;
            /** @description Of the first of them. */
            message: string;
            count: number;
        };
        BulkActionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["BulkAction"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description The filters of the list of the same objects; with none of them everything matches. */
        BulkActionMessageFilter: {
            /** @description A date, or ISO 8601 with an offset; inclusive. */
            created_after?: string;
            /** @description A date, or ISO 8601 with an offset; exclusive. */
            created_before?: string;
            /** @description Several with commas between them: any of these. */
            status?: components["schemas"]["MessageStatus"][];
            /** @description A recipient's address. Given again: any of these. */
            to?: string[];
            /** @description A sender's address. Given again: any of these. */
            from?: string[];
            /** @description Part of the subject. */
            subject?: string;
            /** @description Several with commas between them: any of these. */
            type?: components["schemas"]["MessageType"][];
            /** @description A tag. Given again: any of these. */
            tag?: string[];
            /** @description `metadata[order]=4711`: a key of the first level and its value as text. All of several must hold. */
            metadata?: {
                [key: string]: string;
            };
            thread_id?: string;
            /** @description The copies of one campaign. */
            campaign_id?: string;
            /** @description The mail of one sequence. */
            sequence_id?: string;
            /** @description True: messages that may have arrived or not, since the connection or the program ended between the whole message and the answer. They are `sent`, and are not tried again by themselves. */
            in_doubt?: boolean;
            sub_tenant_id?: string;
            /** @description A key reaches one environment: the other value finds nothing. */
            sandbox?: boolean;
            /** @description Found in the recipient or the subject. */
            q?: string;
        };
        /** @enum {string} */
        BulkActionName: "resend" | "cancel" | "suppress" | "tag" | "untag" | "delete";
        /** @enum {string} */
        BulkActionOfContacts: "tag" | "untag" | "suppress" | "delete";
        /** @enum {string} */
        BulkActionOfMessages: "resend" | "cancel" | "suppress";
        BulkActionOnContacts: {
            /** @description `delete` leaves their suppressions. */
            action: components["schemas"]["BulkActionOfContacts"];
            filter: components["schemas"]["BulkActionContactFilter"];
            /** @description Of `tag` and `untag`, which need them. */
            tags?: string[];
            /** @description Of `suppress`. Default `"manual"`. */
            reason?: components["schemas"]["SuppressionReason"];
            /** @description True: changes nothing, and answers 200 with the number of matches and a sample. Default `false`. */
            dry_run?: boolean;
        };
        BulkActionOnMessages: {
            /** @description `suppress`: the addresses that they went to. */
            action: components["schemas"]["BulkActionOfMessages"];
            filter: components["schemas"]["BulkActionMessageFilter"];
            /** @description Of `suppress`. Default `"manual"`. */
            reason?: components["schemas"]["SuppressionReason"];
            /** @description True: changes nothing, and answers 200 with the number of matches and a sample. Default `false`. */
            dry_run?: boolean;
        };
        BulkActionPreview: {
            /** @constant */
            object: "bulk_action_preview";
            target: components["schemas"]["BulkActionTarget"];
            action: components["schemas"]["BulkActionName"];
            /** @description Number of matches now. */
            count: number;
            /** @description False: there are at least `count`; counting them all takes too long. */
            count_exact: boolean;
            /** @description The newest of them, at most 10. */
            sample: components["schemas"]["BulkActionSample"][];
        };
        BulkActionSample: {
            id: string;
            object: components["schemas"]["BulkActionSampleObject"];
            /** @description The recipient's address; the contact's. */
            email: string;
            status: string;
            subject: string | null;
        };
        /** @enum {string} */
        BulkActionSampleObject: "message" | "contact";
        /** @enum {string} */
        BulkActionTarget: "messages" | "contacts";
        BulkBusiestDay: {
            /** Format: date */
            date: string;
            sent: number;
        };
        /** @enum {string} */
        BulkRule: "spf" | "dkim" | "dmarc" | "alignment" | "reverse_dns" | "tls" | "message_format" | "one_click_unsubscribe" | "unsubscribe_link" | "unsubscribe_in_time" | "complaint_rate" | "from_domain" | "opt_in";
        BulkRuleCheck: {
            /** @constant */
            object: "bulk_rule_check";
            rule: components["schemas"]["BulkRule"];
            provider: components["schemas"]["MailProvider"];
            /** @description `nobody`: the provider advises it and does not ask for it. */
            required_of: components["schemas"]["BulkRuleRequiredOf"];
            /** @description `fail`: the provider may refuse mail for it now. `warn`: it is advised, or it is asked for from the bulk volume on. `unknown`: there is no evidence. */
            status: components["schemas"]["CheckStatus"];
            /** @description What was found, as a sentence. */
            detail: string;
            /** @description What to do; null when nothing is left to do. */
            remedy: string | null;
            evidence: components["schemas"]["BulkRuleEvidence"];
        };
        /** @description What the status rests on. */
        BulkRuleEvidence: {
            /** @description Number of messages or records that were looked at. */
            messages: number;
            /** @description The newest message that decides or shows it. */
            message_id: string | null;
            /** Format: date-time */
            observed_at: string | null;
            /** @description The provider's newest reply that names the rule. */
            reply: string | null;
        };
        /** @enum {string} */
        BulkRuleRequiredOf: "all_senders" | "bulk_senders" | "nobody";
        BulkRules: {
            /** @constant */
            object: "bulk_rules";
            /** @description Null: the workspace's own mail. */
            sub_tenant_id: string | null;
            /** @description The sending domains whose records were read. */
            domains: string[];
            /** @description The worst of the checks that have evidence. */
            status: components["schemas"]["CheckStatus"];
            window_days: number;
            /** Format: date-time */
            looked_at: string;
            volume: components["schemas"]["BulkVolume"][];
            /** @description One for each rule and provider. */
            data: components["schemas"]["BulkRuleCheck"][];
        };
        BulkVolume: {
            provider: components["schemas"]["MailProvider"];
            /** @description Messages in the window. */
            sent: number;
            busiest_day: components["schemas"]["BulkBusiestDay"] | null;
            /** @description Messages a day from which a sender is a bulk sender; null: not published. */
            threshold: number | null;
            /** @description A day of the last 90 reached the threshold, or there is none. */
            is_bulk_sender: boolean;
        };
        Campaign: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "campaign";
            name: string;
            type: components["schemas"]["CampaignType"];
            status: components["schemas"]["CampaignStatus"];
            /** @description Null when the list has been deleted, and in a draft that has none yet. */
            list_id: string | null;
            /** @description Null in a draft that has none yet. */
            template_id: string | null;
            subject: string | null;
            from: components["schemas"]["Mailbox"] | null;
            reply_to: components["schemas"]["Mailbox"] | null;
            segment_tag: string | null;
            variants: components["schemas"]["CampaignVariant"][];
            split: components["schemas"]["CampaignSplit"] | null;
            track_opens: boolean | null;
            track_clicks: boolean | null;
            utm: components["schemas"]["CampaignUtm"] | null;
            sub_tenant_id: string | null;
            sandbox: boolean;
            problem: components["schemas"]["CampaignProblem"] | null;
            /** Format: date-time */
            scheduled_at: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            paused_at: string | null;
            /** Format: date-time */
            sent_at: string | null;
            stats: components["schemas"]["CampaignStats"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CampaignAnalytics: {
            /** @constant */
            object: "campaign_analytics";
            campaign_id: string;
            /** @description Recipients of the frozen audience; 0 before it is being sent. */
            total: number;
            by_status: components["schemas"]["CampaignMessagesByStatus"];
            recipients: components["schemas"]["CampaignRecipientCounts"];
            /** @description Recipients who were left out, by reason. */
            skipped: {
                [key: string]: number;
            };
            /** @description False while events wait to be counted: for a second after they happen, longer after an upgrade. */
            up_to_date: boolean;
            funnel: components["schemas"]["AnalyticsFunnel"];
            rates: components["schemas"]["AnalyticsRates"];
            machine: components["schemas"]["MachineEvents"];
            totals: components["schemas"]["AnalyticsTotals"];
            /** @description The base (tag null), each variant by its tag, and each part of a split by its key. */
            variants: components["schemas"]["CampaignVariantAnalytics"][];
            /** @description Most clicks first. Of more than 1,000 different ones, those that were clicked first; `other` is the rest. */
            links: components["schemas"]["CampaignLink"][];
            /** @description Hours up to a week of events, beyond that days (UTC). */
            series_unit: components["schemas"]["SeriesUnit"];
            /** @description From the first event to the last, oldest first; at most 366 days. */
            series: components["schemas"]["CampaignAnalyticsPoint"][];
        };
        CampaignAnalyticsPoint: {
            /** Format: date-time */
            at: string;
            queued: number;
            sent: number;
            delivered: number;
            deferred: number;
            opened: number;
            clicked: number;
            opens: number;
            clicks: number;
            machine_opened: number;
            machine_clicked: number;
            machine_opens: number;
            machine_clicks: number;
            bounced: number;
            hard_bounced: number;
            complained: number;
            unsubscribed: number;
            replied: number;
            failed: number;
            suppressed: number;
            canceled: number;
        };
        CampaignCreate: {
            name: string;
            /** @description A draft may be without; to be sent it needs one. */
            list_id?: string | null;
            /** @description A draft may be without; to be sent it needs one. */
            template_id?: string | null;
            /** @description Replaces the template's. */
            subject?: string | null;
            from?: components["schemas"]["MailboxInput"] | null;
            reply_to?: components["schemas"]["MailboxInput"] | null;
            segment_tag?: string | null;
            /** @description At most 4: whoever carries the tag gets this message instead; the first that matches wins. */
            variants?: components["schemas"]["CampaignVariantInput"][];
            split?: components["schemas"]["CampaignSplitInput"] | null;
            type?: components["schemas"]["CampaignType"];
            /** @description Null: the organization's setting. */
            track_opens?: boolean | null;
            /** @description Null: the organization's setting. */
            track_clicks?: boolean | null;
            utm?: components["schemas"]["CampaignUtmInput"] | null;
            /** @description ISO 8601 with an offset, at most a year ahead: it is sent then. */
            scheduled_at?: string | null;
            sub_tenant_id?: string | null;
        };
        CampaignDeleted: {
            id: string;
            /** @constant */
            object: "campaign";
            /** @constant */
            deleted: true;
        };
        CampaignDelivery: {
            /** @constant */
            object: "campaign_delivery";
            /** Format: email */
            email: string;
            /** @description `held` waits for the winner of the split; `created` has a message; `skipped` and `failed` got none: a `message_id` there is of a copy that was made and canceled. */
            state: components["schemas"]["CampaignRecipientState"];
            /** @description Of `skipped` and `failed`. */
            reason: string | null;
            variant: string | null;
            message_id: string | null;
            /** @description The status of the message. */
            message_status: components["schemas"]["MessageStatus"] | null;
            last_attempt: components["schemas"]["MessageLastAttempt"] | null;
        };
        CampaignDeliveryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["CampaignDelivery"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
            /** @description The total of all pages, counted up to a few seconds ago: without a filter the audience, with a single `did` alone the number in the funnel. Null with other filters. */
            total: number | null;
        };
        CampaignDuplicate: {
            name?: string;
            /** @description Copy the edited copies of single recipients, too. Default `false`. */
            include_overrides?: boolean;
        };
        CampaignLink: {
            /** Format: uri */
            url: string;
            /** @description By people, every one. */
            clicks: number;
            /** @description Messages in which a person clicked it. */
            people: number;
            machine_clicks: number;
        };
        CampaignList: {
            /** @constant */
            object: "list";
            data: (components["schemas"]["Campaign"] | components["schemas"]["CampaignSummary"])[];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description Its messages by the status that they have now. */
        CampaignMessagesByStatus: {
            queued: number;
            sending: number;
            sent: number;
            delivered: number;
            opened: number;
            clicked: number;
            bounced: number;
            complained: number;
            failed: number;
            suppressed: number;
            canceled: number;
            received: number;
        };
        CampaignOverride: {
            /** @constant */
            object: "campaign_override";
            campaign_id: string;
            /** Format: email */
            email: string;
            subject: string | null;
            html: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CampaignOverrideDeleted: {
            /** @constant */
            object: "campaign_override";
            campaign_id: string;
            /** Format: email */
            email: string;
            /** @constant */
            deleted: true;
        };
        CampaignOverrideList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["CampaignOverride"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description Replaces the stored edit for this recipient. A part that is left out stays as in the template or the variant; the text is derived from an edited html. */
        CampaignOverridePut: {
            email: string;
            subject?: string | null;
            html?: string | null;
        };
        CampaignPreflight: {
            /** @constant */
            object: "campaign_preflight";
            campaign_id: string;
            /** @description No check failed. */
            ready: boolean;
            /** Format: date-time */
            checked_at: string;
            checks: components["schemas"]["CampaignPreflightCheck"][];
        };
        CampaignPreflightCheck: {
            code: string;
            status: components["schemas"]["CheckStatus"];
            message: string;
            details: {
                [key: string]: unknown;
            } | null;
        };
        CampaignPreview: {
            /** @constant */
            object: "list";
            data: components["schemas"]["CampaignRecipient"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
            /** @description Recipients who would get a copy, or got one. */
            total: number;
        };
        /** @description Of a paused campaign: why it paused by itself. Of one that is `sending`: `quota_exceeded`, the plan has no sends left; recipients without a copy wait, and the campaign continues by itself when sends are available again. */
        CampaignProblem: {
            code: string;
            message: string;
        };
        CampaignRecipient: {
            /** @constant */
            object: "campaign_recipient";
            /** Format: email */
            email: string;
            name: string | null;
            tags: string[];
            /** @description Null: they have no variant by tag. */
            variant_tag: string | null;
            /** @description The tag, or the key of the random split; null: the base's copy. */
            variant: string | null;
            template_name: string;
            edited: boolean;
            /** @description True: they get the winner of the random split; until that is known the base is shown. */
            awaits_winner: boolean;
            subject: string | null;
            html: string | null;
            text: string | null;
            problem: components["schemas"]["CampaignRecipientProblem"] | null;
        };
        /** @description The audience by state: copy made, left out, copy failed, waiting. */
        CampaignRecipientCounts: {
            created: number;
            skipped: number;
            failed: number;
            waiting: number;
        };
        /** @enum {string} */
        CampaignRecipientDeed: "delivered" | "opened" | "clicked" | "bounced" | "complained" | "replied" | "unsubscribed" | "skipped";
        /** @description Why they cannot have a copy; the others can. */
        CampaignRecipientProblem: {
            code: string;
            message: string;
        };
        /** @enum {string} */
        CampaignRecipientState: "waiting" | "held" | "created" | "skipped" | "failed";
        CampaignResendInDoubt: {
            /** @constant */
            object: "resend_in_doubt";
            campaign_id: string;
            /** @description Those that are in the queue again. */
            messages: number;
        };
        CampaignSend: {
            /** @description ISO 8601 with an offset, at most a year ahead: it is sent then. */
            scheduled_at?: string | null;
        };
        CampaignSplit: {
            variants: components["schemas"]["CampaignSplitVariant"][];
            test_percent: number;
            metric: components["schemas"]["SplitMetric"];
            wait_minutes: number;
            /** @description The key that the others got; null until it is chosen. */
            winner: string | null;
        };
        /** @description Divides the audience at random. The variant with the best rate of people who opened or clicked wins; the first of equals. Recipients with a variant by tag take no part. */
        CampaignSplitInput: {
            variants: components["schemas"]["CampaignSplitVariantInput"][];
            /** @description Share of the audience that the variants are tried on; the others get the winner. Default `100`. */
            test_percent?: number;
            /** @description Default `"clicked"`. */
            metric?: components["schemas"]["SplitMetric"];
            /** @description From the last copy of the trial to the choice of a winner. Default `240`. */
            wait_minutes?: number;
        };
        CampaignSplitVariant: {
            key: string;
            template_id: string | null;
            subject: string | null;
        };
        CampaignSplitVariantInput: {
            /** @description Its name in statistics. */
            key: string;
            template_id?: string | null;
            /** @description Replaces the template's. */
            subject?: string | null;
        };
        /** @description Counted up to a few seconds ago. */
        CampaignStats: {
            /** @description In its audience, once it is being sent. */
            recipients: number;
            queued: number;
            sent: number;
            delivered: number;
            /** @description People, each once; machines are not counted. */
            opened: number;
            /** @description People, each once; machines are not counted. */
            clicked: number;
            bounced: number;
            complained: number;
            unsubscribed: number;
            /** @description Recipients without a copy: suppressed, unsubscribed, bounced, or off the list. */
            skipped: number;
            /** @description Recipients whose copy could not be made, or not be sent. */
            failed: number;
            /** @description Recipients whose copy may have arrived or not; `resend-in-doubt` sends these again. Counted now. */
            in_doubt: number;
        };
        /** @enum {string} */
        CampaignStatus: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled";
        CampaignSummary: {
            id: string;
            name: string;
            type: components["schemas"]["CampaignType"];
            status: components["schemas"]["CampaignStatus"];
            /** @description Null in a draft that has none yet. */
            template_id: string | null;
            segment_tag: string | null;
            sub_tenant_id: string | null;
            sandbox: boolean;
            /** Format: date-time */
            scheduled_at: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            paused_at: string | null;
            /** Format: date-time */
            sent_at: string | null;
            stats: components["schemas"]["CampaignStats"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "campaign_summary";
        };
        CampaignTest: {
            to: string[];
            /** @description The recipient of the copy; the newest recipient when missing. */
            email?: string;
        };
        CampaignTestMessage: {
            id: string;
            to: string;
            status: string;
        };
        CampaignTestResult: {
            /** @constant */
            object: "campaign_test";
            campaign_id: string;
            /** @description The recipient of the copy. */
            email: string;
            messages: components["schemas"]["CampaignTestMessage"][];
        };
        /** @enum {string} */
        CampaignType: "marketing" | "sales";
        CampaignUpdate: {
            name?: string;
            /** @description A draft may be without; to be sent it needs one. */
            list_id?: string | null;
            /** @description A draft may be without; to be sent it needs one. */
            template_id?: string | null;
            /** @description Replaces the template's. */
            subject?: string | null;
            from?: components["schemas"]["MailboxInput"] | null;
            reply_to?: components["schemas"]["MailboxInput"] | null;
            segment_tag?: string | null;
            /** @description At most 4: whoever carries the tag gets this message instead; the first that matches wins. */
            variants?: components["schemas"]["CampaignVariantInput"][];
            split?: components["schemas"]["CampaignSplitInput"] | null;
            type?: components["schemas"]["CampaignType"];
            /** @description Null: the organization's setting. */
            track_opens?: boolean | null;
            /** @description Null: the organization's setting. */
            track_clicks?: boolean | null;
            utm?: components["schemas"]["CampaignUtmInput"] | null;
            /** @description ISO 8601 with an offset, at most a year ahead: it is sent then. */
            scheduled_at?: string | null;
        };
        /** @description Null where a parameter is not set. */
        CampaignUtm: {
            source: string | null;
            medium: string | null;
            campaign: string | null;
            content: string | null;
            term: string | null;
        };
        /**
         * @description UTM parameters that are added to the links of every copy. `{{campaign_name}}`, `{{campaign_id}}` and `{{variant}}` are filled in. A link keeps the parameters that it has already. Null: none.
         * @example {
         *       "source": "newsletter",
         *       "medium": "email",
         *       "campaign": "{{campaign_name}}"
         *     }
         */
        CampaignUtmInput: {
            source?: string | null;
            medium?: string | null;
            campaign?: string | null;
            content?: string | null;
            term?: string | null;
        };
        CampaignVariant: {
            tag: string;
            template_id: string;
            subject: string | null;
        };
        CampaignVariantAnalytics: {
            tag: string | null;
            queued: number;
            sent: number;
            delivered: number;
            deferred: number;
            opened: number;
            clicked: number;
            opens: number;
            clicks: number;
            machine_opened: number;
            machine_clicked: number;
            machine_opens: number;
            machine_clicks: number;
            bounced: number;
            hard_bounced: number;
            complained: number;
            unsubscribed: number;
            replied: number;
            failed: number;
            suppressed: number;
            canceled: number;
            rates: components["schemas"]["AnalyticsRates"];
        };
        CampaignVariantInput: {
            tag: string;
            template_id: string;
            /** @description Replaces the template's. */
            subject?: string | null;
        };
        /** @enum {string} */
        CheckName: "resolver" | "ehlo_name" | "ptr" | "forward_confirmed" | "ptr_is_ehlo_name" | "spf" | "tenant_spf" | "dnsbl" | "port_25" | "smarthost" | "source_suspension" | "node_roles" | "bounce_mx" | "inbound_mx" | "inbound_port" | "report_authorization" | "tls_reports" | "dmarc_reports" | "certificate" | "zone_delegation" | "name_server" | "dkim" | "dmarc" | "dnssec" | "clock" | "disk_space" | "disk_forecast" | "data_folder" | "database" | "database_clock" | "database_connections" | "integrity" | "spool" | "backup" | "public_url";
        /** @enum {string} */
        CheckStatus: "pass" | "warn" | "fail" | "unknown";
        Contact: {
            id: string;
            /** @constant */
            object: "contact";
            /** Format: email */
            email: string;
            name: string | null;
            phone: string | null;
            tags: string[];
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata: {
                [key: string]: unknown;
            };
            status: components["schemas"]["ContactStatus"];
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description An action of a contact, or a change of them. */
        ContactActivity: {
            /** @constant */
            object: "contact_activity";
            /**
             * @description An entry of a message’s trail, or a change of a list membership. `list_requested`: signed up and not confirmed yet.
             * @enum {string}
             */
            event: "queued" | "sending" | "sent" | "deferred" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "unsubscribed" | "received" | "auto_replied" | "rescheduled" | "list_joined" | "list_requested" | "list_left";
            /** Format: date-time */
            occurred_at: string;
            message: components["schemas"]["ContactActivityMessage"] | null;
            list: components["schemas"]["ContactActivityPlace"] | null;
            actor: components["schemas"]["Actor"] | null;
            /** @description Detail of the trail entry. */
            metadata: {
                [key: string]: unknown;
            };
            provider?: string;
            provider_message_id?: string;
            ip?: string;
            user_agent?: string;
        };
        ContactActivityList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ContactActivity"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ContactActivityMessage: {
            id: string;
            subject: string;
            type: components["schemas"]["MessageType"];
            direction: components["schemas"]["Direction"];
            campaign_id: string | null;
            sequence_id: string | null;
        };
        ContactActivityPlace: {
            id: string;
            name: string;
        };
        ContactDeleted: {
            id: string;
            /** @constant */
            object: "contact";
            /** @constant */
            deleted: true;
        };
        ContactErasure: {
            /** @constant */
            object: "contact_erasure";
            /** @description False while a delivery worker has copies: send the request again in a minute for those. Repeating it is always safe. */
            complete: boolean;
            erased: components["schemas"]["ContactErasureCounts"];
            kept: components["schemas"]["ContactErasureKept"];
        };
        ContactErasureCounts: {
            contacts: number;
            messages_sent: number;
            messages_received: number;
            /** @description Messages that were still waiting. */
            messages_canceled: number;
            /** @description Files that no other mail carries. */
            attachments: number;
            threads: number;
            /** @description Trail entries whose details are gone; the entries themselves stay. */
            events: number;
            campaign_recipients: number;
            list_unsubscribes: number;
            /** @description Received mail, reports about mail to them included. */
            inbound_messages: number;
        };
        ContactErasureKept: {
            /** @description The address stays on the suppression list where it was, so that nobody writes to it again. */
            suppressions: number;
        };
        ContactExportCreate: {
            /**
             * @description May be left out.
             * @constant
             */
            kind?: "contacts";
            /** @description Default `"csv"`. */
            format?: components["schemas"]["TransferFormat"];
            sub_tenant_id?: string | null;
            /** @description Only this list's subscribed members. */
            list_id?: string;
            tag?: string;
            /** @description Part of the address or name; of one or two letters, the beginning of the address or of a word of the name. */
            q?: string;
            /** @description One, or any of several. */
            status?: components["schemas"]["ContactStatus"] | components["schemas"]["ContactStatus"][];
            /** @description A date, or ISO 8601 with an offset; inclusive. */
            created_after?: string;
            /** @description A date, or ISO 8601 with an offset; exclusive. */
            created_before?: string;
        };
        ContactList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Contact"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
            /** @description All matches, on all pages. */
            total: number;
            /** @description False where no counter says how many match and more than 2,000 would have to be looked at: then there are at least `total`. Of a large segment it is the last count. */
            total_exact: boolean;
        };
        ContactListDeleted: {
            id: string;
            /** @constant */
            object: "contact_list";
            /** @constant */
            deleted: true;
        };
        /** @enum {string} */
        ContactStatus: "active" | "unsubscribed" | "bounced" | "complained";
        ContactUpdate: {
            name?: string | null;
            phone?: string | null;
            tags?: string[];
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description `unsubscribed` suppresses the address for all mail. `active` lifts a suppression with the reason `unsubscribe`; use it with the consent of the person only. A suppression with another reason refuses it (`recipient_suppressed`).
             * @enum {string}
             */
            status?: "active" | "unsubscribed";
        };
        ContactUpsert: {
            email: string;
            name?: string | null;
            phone?: string | null;
            tags?: string[];
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description `unsubscribed` suppresses the address for all mail. `active` lifts a suppression with the reason `unsubscribe`; use it with the consent of the person only. A suppression with another reason refuses it (`recipient_suppressed`).
             * @enum {string}
             */
            status?: "active" | "unsubscribed";
            sub_tenant_id?: string | null;
        };
        ContentRender: {
            subject?: string | null;
            /** @description Values are escaped here, and only here. At most 262,144 characters; files belong into attachments, and pictures onto a server. */
            html?: string | null;
            /** @description Derived from the html when missing. At most 262,144 characters; files belong into attachments, and pictures onto a server. */
            text?: string | null;
            inline_css?: boolean;
            /** @description With the footer that campaign copies get: postal address and unsubscribe link. */
            footer?: boolean;
            variables?: {
                [key: string]: unknown;
            };
            /** @description Id or address of a saved contact whose fields merge in. */
            contact?: string;
        };
        DestinationTrace: {
            /** @constant */
            object: "destination_trace";
            domain: string;
            /** @description The oldest first. */
            data: components["schemas"]["TracedAttempt"][];
            /** @description The `after` of the next question. */
            next: number;
            /** @description Attempts that were forgotten before anybody asked. */
            missed: number;
        };
        DeviceSignIn: {
            /** @constant */
            object: "device_sign_in";
            user_code: string;
            client_name: string;
            /** @description The address that the program asked from. */
            ip: string | null;
            /** @description The environment that the program wants. */
            mode: components["schemas"]["Environment"];
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        DeviceSignInApprove: {
            /** @description As the program wants it unless given. */
            mode?: components["schemas"]["Environment"];
            /** @description Default `"full"`. */
            permission?: components["schemas"]["KeyPermission"];
            /** @description Of the key; the name of the program unless given. */
            name?: string;
        };
        DeviceSignInDecided: {
            /** @constant */
            object: "device_sign_in";
            user_code: string;
            /** @enum {string} */
            status: "approved" | "denied";
        };
        DeviceSignInPoll: {
            device_code: string;
        };
        DeviceSignInPolled: {
            /** @constant */
            object: "device_sign_in";
            status: components["schemas"]["DeviceSignInStatus"];
            api_key: components["schemas"]["ApiKeyCreated"] | null;
        };
        DeviceSignInStart: {
            /** @description Shown to the person, and the name of the key unless they choose another. */
            client_name: string;
            /** @description The environment that the program wants. Default `"test"`. */
            mode?: components["schemas"]["Environment"];
        };
        DeviceSignInStarted: {
            /** @constant */
            object: "device_sign_in";
            /** @description For `auth.pollDevice`; a secret of the program. */
            device_code: string;
            /** @description For the person, who compares it. */
            user_code: string;
            /**
             * Format: uri
             * @description The page where the person enters the code.
             */
            verification_uri: string;
            /**
             * Format: uri
             * @description The same page with the code.
             */
            verification_uri_complete: string;
            /** @description Seconds. */
            expires_in: number;
            /** @description Seconds to wait between two polls. */
            interval: number;
        };
        /** @enum {string} */
        DeviceSignInStatus: "pending" | "approved" | "denied" | "expired";
        /** @enum {string} */
        Direction: "outbound" | "inbound";
        /** @enum {string} */
        DkimAlgorithm: "rsa-sha256" | "ed25519-sha256";
        DkimKey: {
            selector: string;
            algorithm: components["schemas"]["DkimAlgorithm"];
            /** @description pending: its record was not seen; published: it was, and settles; active: it signs; retiring: another signs, its record stays for mail on its way; revoked: its record is to be empty; retired: it may go. */
            state: components["schemas"]["DkimKeyState"];
            /** @description Where verifiers look. */
            host: string;
            /** @description The text of the TXT record there, or the target of its alias; null: none any more. */
            value: string | null;
            /** Format: date-time */
            published_at: string | null;
            /** Format: date-time */
            activated_at: string | null;
            /** Format: date-time */
            retiring_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @enum {string} */
        DkimKeyState: "pending" | "published" | "active" | "retiring" | "revoked" | "retired";
        /** @enum {string} */
        DkimMode: "txt" | "cname" | "zone";
        DkimRotate: {
            /**
             * @description From now on, and for the new keys; as before when absent.
             * @enum {string}
             */
            mode?: "txt" | "cname";
            /** @description True when the keys may be known to others: they stop signing at once, and their records are emptied. Mail waits until DNS shows the new ones. */
            emergency?: boolean;
        };
        /** @description New keys that wait to sign in place of others. */
        DkimRotation: {
            /**
             * @description That of the key that is to sign next.
             * @enum {string}
             */
            state: "pending" | "published";
            /** Format: date-time */
            started_at: string;
            selector: string;
            /**
             * @description `dns_record`: the record of the new key was not seen; `settling`: it was, and must have been for a while.
             * @enum {string}
             */
            waiting_for: "dns_record" | "settling";
        };
        /** @enum {string} */
        DmarcClass: "ours_aligned" | "ours_not_aligned" | "forwarded" | "foreign";
        /** @description Sent here: DMARC passed or failed. `forwarded`: passed on by others. `foreign`: not sent here. */
        DmarcClasses: {
            ours_aligned: number;
            ours_not_aligned: number;
            forwarded: number;
            foreign: number;
        };
        /** @enum {string} */
        DmarcDisposition: "none" | "quarantine" | "reject";
        DmarcDispositions: {
            none: number;
            quarantine: number;
            reject: number;
        };
        /** @enum {string} */
        DmarcGroup: "source" | "reporter" | "day" | "domain";
        /** @enum {string} */
        DmarcReason: "address_not_declared" | "dkim_failed" | "spf_of_another_domain" | "not_signed" | "signature_intact" | "named_by_receiver" | "signature_broken";
        DmarcRecord: {
            source_ip: string;
            count: number;
            class: components["schemas"]["DmarcClass"];
            reason: components["schemas"]["DmarcReason"] | null;
            disposition: components["schemas"]["DmarcDisposition"];
            dkim: string;
            spf: string;
            reasons: string[];
            header_from: string;
            envelope_from: string | null;
            auth_dkim: {
                domain: string;
                selector: string;
                result: string;
            }[];
            auth_spf: {
                domain: string;
                result: string;
            } | null;
        };
        DmarcReport: {
            /** @constant */
            object: "dmarc_report";
            id: string;
            sub_tenant_id: string | null;
            domain: string;
            org_name: string;
            /** @description Domain of the mail; proven if `authenticated`. */
            reporter: string;
            report_id: string;
            /** @description Whether the mail proves its sender. Summaries leave others out. */
            authenticated: boolean;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            /** Format: date-time */
            created_at: string;
            policy: {
                [key: string]: string | null;
            };
            messages: number;
            not_ours: number;
            records_left_out: number;
            records?: components["schemas"]["DmarcRecord"][];
        };
        DmarcReportList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["DmarcReport"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        DmarcSummary: {
            /** @constant */
            object: "dmarc_summary";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            messages: number;
            classes: components["schemas"]["DmarcClasses"];
            dispositions: components["schemas"]["DmarcDispositions"];
            groups: {
                key: string;
                messages: number;
                classes: components["schemas"]["DmarcClasses"];
                dispositions: components["schemas"]["DmarcDispositions"];
                reasons: components["schemas"]["DmarcReason"][];
                /** @description Mails that left here that day, or to that provider, of all domains; null where nobody counts. */
                sent: number | null;
            }[];
            has_more_groups: boolean;
            sentences: string[];
        };
        /** @description Whether the DKIM record of the key that signs, seen before, is gone or wrong. Mail goes on for a grace; then the status is `suspended` until the record is right again. `detail` says so too when another workspace has proved the domain. */
        DnsDrift: {
            drifting: boolean;
            /** Format: date-time */
            failing_since: string | null;
            detail: string | null;
        };
        /** @enum {string} */
        DnsNameSetting: "MAILKEEL_HOSTNAME" | "MAILKEEL_PUBLIC_URL" | "MAILKEEL_BOUNCE_DOMAIN";
        DnsRecord: {
            purpose: components["schemas"]["DnsRecordPurpose"];
            type: components["schemas"]["DnsRecordType"];
            /** @description The full name, without a final dot. */
            host: string;
            /** @description The value to publish: the text in one piece, or the target host. `null` if the status is `host_unnamed`. */
            value: string | null;
            /** @description Of an MX record. */
            priority?: number;
            /** @description Whether `verified` needs it. */
            required: boolean;
            /** @description `pending`: no answer yet. `host_unnamed`: the record would name this server, which has no public name yet; it is neither checked nor counted. */
            status: components["schemas"]["DnsRecordStatus"];
            /** @description What the last check found there. */
            found: string[];
            /** @description The setting that the operator has to set before a `host_unnamed` record has a value. */
            missing_setting: components["schemas"]["DnsNameSetting"] | null;
        };
        DnsRecordAdvice: {
            purpose: components["schemas"]["DnsRecordPurpose"];
            type: components["schemas"]["DnsRecordType"];
            /** @description The full name, without a final dot. */
            host: string;
            /** @description The value to publish: the text in one piece, or the target host. `null` if the status is `host_unnamed`. */
            value: string | null;
            /** @description Of an MX record. */
            priority?: number;
            /** @description Whether `verified` needs it. */
            required: boolean;
            /** @description `pending`: no answer yet. `host_unnamed`: the record would name this server, which has no public name yet; it is neither checked nor counted. */
            status: components["schemas"]["DnsRecordStatus"];
            /** @description What the last check found there. */
            found: string[];
            /** @description The setting that the operator has to set before a `host_unnamed` record has a value. */
            missing_setting: components["schemas"]["DnsNameSetting"] | null;
            /** @description What to do; null when the record is right. */
            advice: string | null;
        };
        /** @enum {string} */
        DnsRecordPurpose: "dkim" | "return_path" | "spf" | "dmarc" | "inbound" | "tracking";
        /** @enum {string} */
        DnsRecordStatus: "pending" | "ok" | "missing" | "mismatch" | "host_unnamed";
        /** @enum {string} */
        DnsRecordType: "TXT" | "MX" | "CNAME";
        Enrollment: {
            id: string;
            /** @constant */
            object: "enrollment";
            sequence_id: string;
            contact_id: string;
            /** Format: email */
            email: string;
            status: components["schemas"]["EnrollmentStatus"];
            /** @description `goal`, `exit` (a step), an event such as `replied`, `suppressed`; of a failed one the code of what is wrong. */
            exit_reason: string | null;
            /** @description Id of the step that it is at; null once it has ended. */
            step: string | null;
            /** Format: date-time */
            next_at: string | null;
            waits_for: components["schemas"]["SequenceBranchEvent"] | null;
            variables: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        EnrollmentCreate: {
            email?: string;
            contact_id?: string;
            /** @description For the templates of this enrolment; they win over the steps' and over the contact's fields. */
            variables?: {
                [key: string]: unknown;
            };
        };
        EnrollmentList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Enrollment"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        EnrollmentStatus: "active" | "completed" | "exited" | "canceled" | "failed";
        /** @enum {string} */
        Environment: "live" | "test";
        /** @description The answer to every refused or failed request. */
        Error: {
            error: components["schemas"]["ErrorDetails"];
        };
        /** @enum {string} */
        ErrorCategory: "invalid_recipient" | "inactive_mailbox" | "bad_domain" | "quota" | "greylist" | "rate_limited" | "spam_block" | "spam_content" | "auth_failed" | "policy" | "tls" | "too_large" | "network" | "protocol" | "expired" | "ambiguous" | "unknown" | "template" | "signing" | "routing" | "tenant" | "sender";
        /** @enum {string} */
        ErrorCode: "bad_request" | "invalid_cursor" | "cursor_ahead" | "idempotency_key_mismatch" | "sub_tenant_mismatch" | "unauthorized" | "sign_in_failed" | "totp_required" | "quota_exceeded" | "forbidden" | "session_required" | "csrf_token_invalid" | "address_not_allowed" | "tenant_suspended" | "not_found" | "recipient_not_in_audience" | "method_not_allowed" | "request_timeout" | "conflict" | "precondition_failed" | "last_owner" | "already_member" | "idempotency_key_reused" | "idempotency_key_in_use" | "idempotency_answer_lost" | "domain_taken" | "list_is_segment" | "contact_left_list" | "slug_taken" | "message_not_cancelable" | "not_sandbox" | "outcome_impossible" | "campaign_already_sent" | "campaign_incomplete" | "campaign_canceled" | "template_in_use" | "already_enrolled" | "recipient_suppressed" | "file_quota_exceeded" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "recipient_not_a_contact" | "postal_address_required" | "subject_required" | "content_required" | "sender_required" | "sender_not_verified" | "template_invalid" | "template_not_found" | "list_not_found" | "variant_limit" | "sub_tenant_not_found" | "webhook_url_not_allowed" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable" | "database_damaged" | "read_too_slow";
        ErrorDetails: {
            /** @description The class of the error; one per HTTP status. */
            type: components["schemas"]["ErrorType"];
            /** @description The precise reason. */
            code: components["schemas"]["ErrorCode"];
            /** @description One sentence for the developer: what happened, and what to do. */
            message: string;
            /** @description The request field at fault. */
            param?: string;
            /** @description Further data; of a validation_error `fields`, a list of {path, message}. */
            details?: {
                [key: string]: unknown;
            };
            /** @description Finds the request in the log; also in X-Request-Id. */
            request_id: string;
        };
        /** @enum {string} */
        ErrorType: "bad_request" | "unauthorized" | "quota_exceeded" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable";
        /** @description An event of a message, a sub-tenant or another record. */
        Event: {
            /** @description Also in the delivery records of webhooks, as `event_id`. */
            id: string;
            /** @constant */
            object: "event";
            event: components["schemas"]["FeedEventName"];
            /** Format: date-time */
            occurred_at: string;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["EventData"];
            /** @description Of the message. */
            tags: string[];
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata: {
                [key: string]: unknown;
            };
            sub_tenant_id: string | null;
            sandbox: boolean;
        };
        /** @description As in the webhook envelope, with the details of the trail entry. */
        EventData: {
            /** @description The record that the event is about: a message, or as the name of the event says. */
            id: string;
            event: components["schemas"]["FeedEventName"];
            /** Format: date-time */
            occurred_at: string;
            /** @description Details of the trail entry, e.g. the reply of the recipient’s server. */
            metadata: {
                [key: string]: unknown;
            };
            provider?: string;
            provider_message_id?: string;
            ip?: string;
            user_agent?: string;
        };
        EventExportCreate: {
            /** @constant */
            kind: "events";
            /** @description Default `"csv"`. */
            format?: components["schemas"]["TransferFormat"];
            sub_tenant_id?: string | null;
            /** @description Any of these. */
            events?: components["schemas"]["FeedEventName"][];
            /** @description Id of an event: only later events. */
            after?: string;
        };
        EventList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Event"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Explanation: {
            /** @constant */
            object: "explanation";
            message_id: string;
            status: components["schemas"]["MessageStatus"];
            /**
             * @description Stable. A situation, or `deferred_`, `bounced_` or `expired_` with a cause.
             * @example deferred_greylisted
             */
            code: components["schemas"]["ExplanationCode"];
            /** @description One plain sentence. */
            summary: string;
            /** @description From acceptance to now, oldest first; of more than 100 entries the middle is left out. */
            chain: components["schemas"]["ExplanationStep"][];
            next: components["schemas"]["ExplanationNext"] | null;
            /** @description What to do, most useful first. */
            advice: components["schemas"]["ExplanationAdvice"][];
        };
        ExplanationAdvice: {
            code: components["schemas"]["AdviceCode"];
            text: string;
            calls: components["schemas"]["AdviceCall"][];
        };
        /** @enum {string} */
        ExplanationCode: "delivered" | "opened" | "handed_to_smarthost" | "sent" | "received" | "complained" | "canceled" | "canceled_contact_deleted" | "canceled_removed_from_list" | "canceled_not_in_segment" | "simulated" | "scheduled" | "waiting_turn" | "in_delivery" | "in_delivery_unanswered" | "worker_lost" | "lost_from_queue" | "may_have_arrived" | "suppression_pending" | "suppressed_bounce" | "suppressed_complaint" | "suppressed_unsubscribe" | "suppressed_manual" | "suppressed_left_list" | "suppression_lifted" | "campaign_stopped" | "tenant_suspended" | "tenant_paused" | "tenant_deleted" | "tenant_throttled" | "held_signing" | "held_sender" | "held_fault" | "outbound_held" | "destination_paused" | "destination_paused_by_workspace" | "destination_paused_by_sub_tenant" | "destination_suspended" | "tenant_destination_suspended" | "circuit_open" | "rate_limited" | "concurrency_limited" | "warm_up" | "source_unreachable" | "source_suspended" | "no_source" | "failed_too_large" | "failed_template" | "failed_signing" | "failed_sender" | "failed_routing" | "failed_fault" | "deferred_no_such_domain" | "deferred_null_mx" | "deferred_mail_loop" | "deferred_other_address_family" | "deferred_no_usable_host" | "deferred_dns_failure" | "deferred_connection_refused" | "deferred_connect_timeout" | "deferred_network_unreachable" | "deferred_no_greeting" | "deferred_session_refused" | "deferred_too_many_connections" | "deferred_connection_lost" | "deferred_reply_timeout" | "deferred_smarthost_login" | "deferred_tls_handshake" | "deferred_tls_required" | "deferred_tls_sts" | "deferred_tls_dane" | "deferred_tls_wanted_by_peer" | "deferred_require_tls" | "deferred_not_delivered_onward" | "deferred_ambiguous" | "deferred_greylisted" | "deferred_put_off" | "deferred_host_trouble" | "deferred_rate_limited" | "deferred_mailbox_full" | "deferred_server_full" | "deferred_no_such_mailbox" | "deferred_mailbox_disabled" | "deferred_domain_takes_no_mail" | "deferred_blocklisted" | "deferred_no_reverse_dns" | "deferred_poor_reputation" | "deferred_content_refused" | "deferred_malware_found" | "deferred_spf_failed" | "deferred_dkim_failed" | "deferred_dmarc_failed" | "deferred_auth_failed" | "deferred_relaying_denied" | "deferred_sender_refused" | "deferred_policy" | "deferred_too_large" | "deferred_smtputf8_missing" | "deferred_eight_bit_missing" | "deferred_protocol" | "deferred_unknown" | "bounced_no_such_domain" | "bounced_null_mx" | "bounced_mail_loop" | "bounced_other_address_family" | "bounced_no_usable_host" | "bounced_dns_failure" | "bounced_connection_refused" | "bounced_connect_timeout" | "bounced_network_unreachable" | "bounced_no_greeting" | "bounced_session_refused" | "bounced_too_many_connections" | "bounced_connection_lost" | "bounced_reply_timeout" | "bounced_smarthost_login" | "bounced_tls_handshake" | "bounced_tls_required" | "bounced_tls_sts" | "bounced_tls_dane" | "bounced_tls_wanted_by_peer" | "bounced_require_tls" | "bounced_not_delivered_onward" | "bounced_ambiguous" | "bounced_greylisted" | "bounced_put_off" | "bounced_host_trouble" | "bounced_rate_limited" | "bounced_mailbox_full" | "bounced_server_full" | "bounced_no_such_mailbox" | "bounced_mailbox_disabled" | "bounced_domain_takes_no_mail" | "bounced_blocklisted" | "bounced_no_reverse_dns" | "bounced_poor_reputation" | "bounced_content_refused" | "bounced_malware_found" | "bounced_spf_failed" | "bounced_dkim_failed" | "bounced_dmarc_failed" | "bounced_auth_failed" | "bounced_relaying_denied" | "bounced_sender_refused" | "bounced_policy" | "bounced_too_large" | "bounced_smtputf8_missing" | "bounced_eight_bit_missing" | "bounced_protocol" | "bounced_unknown" | "expired_no_such_domain" | "expired_null_mx" | "expired_mail_loop" | "expired_other_address_family" | "expired_no_usable_host" | "expired_dns_failure" | "expired_connection_refused" | "expired_connect_timeout" | "expired_network_unreachable" | "expired_no_greeting" | "expired_session_refused" | "expired_too_many_connections" | "expired_connection_lost" | "expired_reply_timeout" | "expired_smarthost_login" | "expired_tls_handshake" | "expired_tls_required" | "expired_tls_sts" | "expired_tls_dane" | "expired_tls_wanted_by_peer" | "expired_require_tls" | "expired_not_delivered_onward" | "expired_ambiguous" | "expired_greylisted" | "expired_put_off" | "expired_host_trouble" | "expired_rate_limited" | "expired_mailbox_full" | "expired_server_full" | "expired_no_such_mailbox" | "expired_mailbox_disabled" | "expired_domain_takes_no_mail" | "expired_blocklisted" | "expired_no_reverse_dns" | "expired_poor_reputation" | "expired_content_refused" | "expired_malware_found" | "expired_spf_failed" | "expired_dkim_failed" | "expired_dmarc_failed" | "expired_auth_failed" | "expired_relaying_denied" | "expired_sender_refused" | "expired_policy" | "expired_too_large" | "expired_smtputf8_missing" | "expired_eight_bit_missing" | "expired_protocol" | "expired_unknown";
        /** @description The next automatic step, with its time. Null when there is none, or no time is set. */
        ExplanationNext: {
            /** Format: date-time */
            at: string;
            what: string;
        };
        ExplanationStep: {
            /** Format: date-time */
            at: string;
            code: string;
            text: string;
        };
        Export: {
            id: string;
            /** @constant */
            object: "export";
            kind: components["schemas"]["ExportKind"];
            status: components["schemas"]["TransferStatus"];
            format: components["schemas"]["TransferFormat"];
            sub_tenant_id: string | null;
            list_id: string | null;
            /** @description Rows in all; null until they have been counted. */
            total: number | null;
            /** @description Rows that are done. */
            processed: number;
            /** @description Why it failed, as a sentence. */
            error: string | null;
            /** @description Why it waits, as a sentence, when the server is short of disk space. It resumes automatically. */
            paused_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description Of an export of contacts. */
            tag: string | null;
            /** @description The one `status` of contacts that was asked for. */
            contact_status: string | null;
            /** @description The filters of the request. */
            filters: {
                [key: string]: unknown;
            };
            /** @description Of the file, as far as it is written. */
            size_bytes: number;
        };
        ExportCreate: components["schemas"]["ContactExportCreate"] | components["schemas"]["MessageExportCreate"] | components["schemas"]["EventExportCreate"] | components["schemas"]["SuppressionExportCreate"];
        ExportDeleted: {
            id: string;
            /** @constant */
            object: "export";
            /** @constant */
            deleted: true;
        };
        /** @enum {string} */
        ExportKind: "contacts" | "messages" | "events" | "suppressions";
        ExportList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Export"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        FeedEventName: "message.sent" | "message.delivered" | "message.opened" | "message.clicked" | "message.bounced" | "message.complained" | "message.failed" | "message.suppressed" | "message.received" | "recipient.suppressed" | "tenant.warned" | "tenant.throttled" | "tenant.paused" | "tenant.recovered" | "tenant.dns_drifted" | "tenant.dns_suspended" | "tenant.dns_recovered" | "tenant.dkim_rotation_started" | "tenant.dkim_rotation_completed" | "message.deferred" | "message.unsubscribed" | "suppression.created" | "suppression.deleted" | "contact.created" | "contact.updated" | "contact.unsubscribed" | "contact.deleted" | "contact.erased" | "domain.verified" | "domain.failed" | "domain.drifted" | "domain.suspended" | "domain.recovered" | "campaign.scheduled" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.sent" | "campaign.canceled" | "import.completed" | "import.failed" | "import.canceled" | "export.completed" | "export.failed" | "export.canceled" | "bulk_action.completed" | "bulk_action.failed" | "bulk_action.canceled" | "message.queued" | "message.sending" | "message.canceled" | "message.auto_replied" | "message.rescheduled";
        Health: {
            /** @constant */
            status: "ok";
        };
        HealthCheck: {
            /** @constant */
            object: "health_check";
            name: components["schemas"]["CheckName"];
            /** @description The checked object: an address, a host, a DNS name. */
            subject: string | null;
            /** @description `unknown`: the check had no result. */
            status: components["schemas"]["CheckStatus"];
            observed: string;
            expected: string;
            /** @description What to do; null when the check passes. */
            remedy: string | null;
        };
        HealthReport: {
            /** @constant */
            object: "health_report";
            /** @description The worst of all; `unknown` before the first run. */
            status: components["schemas"]["CheckStatus"];
            /** Format: date-time */
            checked_at: string | null;
            data: components["schemas"]["HealthCheck"][];
        };
        Import: {
            id: string;
            /** @constant */
            object: "import";
            status: components["schemas"]["TransferStatus"];
            format: components["schemas"]["TransferFormat"];
            sub_tenant_id: string | null;
            list_id: string | null;
            /** @description Rows in all; null until they have been counted. */
            total: number | null;
            /** @description Rows that are done. */
            processed: number;
            /** @description Why it failed, as a sentence. */
            error: string | null;
            /** @description Why it waits, as a sentence, when the server is short of disk space. It resumes automatically. */
            paused_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            finished_at: string | null;
            mode: components["schemas"]["ImportMode"];
            tags: string[];
            dry_run: boolean;
            size_bytes: number;
            processed_bytes: number;
            /** @description Contacts that are new. */
            created: number;
            /** @description Contacts that were changed, or that joined the list. */
            updated: number;
            /** @description Contacts that were equal to the row. */
            unchanged: number;
            /** @description Rows that `mode` leaves out. */
            skipped: number;
            /** @description Rows that say that the contact unsubscribed, bounced or complained. The status is set and the address suppressed; a dry run only counts. */
            opted_out: number;
            /** @description Of a dry run: columns that look like a status and would be custom fields. Map each in `columns`. */
            warnings: string[];
            /** @description Contacts that left the list on their own, and stay away; counted above as well. */
            not_rejoined: number;
            /** @description Rows that were refused; the report of refused rows says why. */
            failed: number;
        };
        /** @description Any other field becomes a key of metadata. */
        ImportItem: {
            email: string;
            name?: string | null;
            phone?: string | null;
            tags?: string[];
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            status?: string;
        };
        ImportList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Import"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        ImportMode: "upsert" | "create_only" | "update_only";
        ImportPreview: {
            /** @constant */
            object: "import_preview";
            format: components["schemas"]["TransferFormat"];
            /** @description Such as `utf-8`, `utf-16le` or `windows-1252`. */
            encoding: string;
            /** @description Null for JSON. */
            delimiter: string | null;
            columns: components["schemas"]["ImportPreviewColumn"][];
        };
        ImportPreviewColumn: {
            /** @description As in the file. */
            name: string;
            /** @description Its target, as `columns` of an import names it. */
            becomes: string;
            /** @description Its values in the first rows. */
            samples: string[];
            /** @description Set if the column looks like a status; an import is refused until `columns` maps it. */
            warning: string | null;
        };
        Invitation: {
            id: string;
            /** @constant */
            object: "invitation";
            /** Format: email */
            email: string;
            /** @description `owner`: everything. `admin`: everything but what concerns owners. `member`: mail, contacts, campaigns, sub-tenants. `viewer`: reads. */
            role: components["schemas"]["Role"];
            status: components["schemas"]["InvitationStatus"];
            /** @description The id of a user, or of a key. */
            invited_by: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            accepted_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        InvitationAccept: {
            /** @description The part of the link after the #. */
            token: string;
            name?: string | null;
            password: string;
            /** @description The code of the authenticator app. */
            totp?: string;
            /** @description One of the recovery codes. */
            recovery_code?: string;
        };
        InvitationCreate: {
            email: string;
            /** @description `owner`: everything. `admin`: everything but what concerns owners. `member`: mail, contacts, campaigns, sub-tenants. `viewer`: reads. */
            role: components["schemas"]["Role"];
        };
        InvitationCreated: {
            id: string;
            /** @constant */
            object: "invitation";
            /** Format: email */
            email: string;
            /** @description `owner`: everything. `admin`: everything but what concerns owners. `member`: mail, contacts, campaigns, sub-tenants. `viewer`: reads. */
            role: components["schemas"]["Role"];
            status: components["schemas"]["InvitationStatus"];
            /** @description The id of a user, or of a key. */
            invited_by: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            accepted_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description False while the appliance has no domain to send mail from. */
            mailed: boolean;
            /**
             * Format: uri
             * @description The link in the mail, to be passed on in another way. Shown only here.
             */
            link: string;
        };
        InvitationDeleted: {
            id: string;
            /** @constant */
            object: "invitation";
            /** @constant */
            deleted: true;
        };
        InvitationList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Invitation"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        InvitationStatus: "pending" | "accepted" | "revoked" | "expired";
        InvitationView: {
            /** @description The part of the link after the #. */
            token: string;
        };
        /** @enum {string} */
        KeyPermission: "full" | "send" | "read" | "admin";
        ListAddition: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "list_addition";
            list_id: string;
            added: number;
            /** @description Contacts who were on the list before. */
            already: number;
            /** @description Ids of contacts who left on their own, and stay off the list. */
            unsubscribed: string[];
            /** @description Ids without a contact that may join. */
            missing: string[];
        };
        ListGrowth: {
            /** @constant */
            object: "list_growth";
            list_id: string;
            window_days: number;
            joined: number;
            /** @description Contacts who left the list, or were taken off it. */
            unsubscribed: number;
            /** @description Now. */
            contacts: number;
            series: components["schemas"]["ListGrowthDay"][];
        };
        ListGrowthDay: {
            /** @description UTC. */
            date: string;
            joined: number;
            unsubscribed: number;
            /** @description At the end of the day; of a segment only the last is known. */
            contacts: number | null;
        };
        ListMember: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "contact";
            /** Format: email */
            email: string;
            name: string | null;
            phone: string | null;
            tags: string[];
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata: {
                [key: string]: unknown;
            };
            status: components["schemas"]["ContactStatus"];
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description `pending`: has signed up and not confirmed yet; gets nothing. */
            list_state: components["schemas"]["ListMemberState"];
            /** @description Null in a segment. */
            joined_at: string | null;
        };
        /** @description One of contact_id, contact_ids and email. With email, name replaces the contact’s, metadata is merged by key and tags are added. */
        ListMemberAdd: {
            contact_id?: string;
            contact_ids?: string[];
            /** @description Added to the contacts when it is not one of them yet. */
            email?: string;
            name?: string | null;
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            tags?: string[];
            /** @description Also puts back contacts who left the list on their own. Use it with their consent only. Default `false`. */
            resubscribe?: boolean;
        };
        ListMemberList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ListMember"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ListMemberRemoved: {
            /** @description The contact's. */
            id: string;
            /** @constant */
            object: "list_member";
            list_id: string;
            /** @constant */
            deleted: true;
        };
        /** @enum {string} */
        ListMemberState: "subscribed" | "pending";
        /** @enum {string} */
        ListOrder: "created_at" | "-created_at";
        ListPreview: {
            /** @constant */
            object: "list_preview";
            /** @description Contacts who match now, whatever their status. */
            contacts: number;
            /** @description The newest of them, at most 10. */
            sample: components["schemas"]["Contact"][];
        };
        ListPreviewRequest: {
            filter: components["schemas"]["SegmentFilter"] | null;
            sub_tenant_id?: string | null;
        };
        ListTag: {
            tag: string;
            contacts: number;
        };
        ListTagList: {
            /** @constant */
            object: "list";
            /** @description The most frequent first, at most 10,000. Subscribed members only; a minute old at most. */
            data: components["schemas"]["ListTag"][];
            /** @constant */
            has_more: false;
            next_cursor: null;
        };
        /** @enum {string} */
        ListView: "full" | "summary";
        /** @description Opens and clicks by known machines: prefetchers, scanners. Unknown clients count as people. */
        MachineEvents: {
            opened: number;
            clicked: number;
            opens: number;
            clicks: number;
        };
        /** @enum {string} */
        MailProvider: "google" | "yahoo" | "microsoft";
        Mailbox: {
            /** Format: email */
            email: string;
            name: string | null;
        };
        /** @description An address, `Name <address>`, or {email, name}. */
        MailboxInput: string | components["schemas"]["MailboxObject"];
        MailboxObject: {
            email: string;
            name?: string | null;
        };
        MailingList: {
            id: string;
            /** @constant */
            object: "contact_list";
            name: string;
            description: string | null;
            /** @description Subscribed members; of a segment as last counted. */
            contacts: number;
            /** @description When a segment was counted; null for other lists. */
            counted_at: string | null;
            double_opt_in: boolean;
            confirmation_template_id: string | null;
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uri
             * @description A page where people sign up, of the environment of the key; segments have none.
             */
            sign_up_url: string | null;
            /** @description `pk_…`: signs up to this list from a form of any site, and does nothing else. No secret. */
            publishable_key: string | null;
            /** @description Where a form may lead a browser to afterwards, by `redirect_url`. */
            form_origins: string[];
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        MailingListCreate: {
            /** @description Recipients may see it. */
            name: string;
            /** @description Shown on the sign-up and the preference page. */
            description?: string | null;
            /** @description True: people who sign up are subscribed once they have confirmed by mail. Default `false`. */
            double_opt_in?: boolean;
            /** @description The mail that asks for confirmation; the variables confirmation_url and list_name are filled in. Null: a plain one. */
            confirmation_template_id?: string | null;
            filter?: components["schemas"]["SegmentFilter"] | null;
            /** @description Origins, such as https://www.example.com. */
            form_origins?: string[];
            sub_tenant_id?: string | null;
        };
        MailingListList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["MailingList"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        MailingListUpdate: {
            /** @description Recipients may see it. */
            name?: string;
            /** @description Shown on the sign-up and the preference page. */
            description?: string | null;
            double_opt_in?: boolean;
            /** @description The mail that asks for confirmation; the variables confirmation_url and list_name are filled in. Null: a plain one. */
            confirmation_template_id?: string | null;
            filter?: components["schemas"]["SegmentFilter"] | null;
            /** @description Origins, such as https://www.example.com. */
            form_origins?: string[];
        };
        Me: {
            /** @constant */
            object: "me";
            /** @description The environment of this request. */
            mode: components["schemas"]["Environment"];
            /** @description The permission, named as for keys. */
            permission: components["schemas"]["KeyPermission"];
            /** @description The sub-tenant that this request is narrowed to. */
            sub_tenant_id: string | null;
            /** @description True: the key only reaches that sub-tenant. */
            pinned: boolean;
            api_key: components["schemas"]["ApiKey"] | null;
            person: components["schemas"]["MePerson"] | null;
            organization: components["schemas"]["MePlace"];
            workspace: components["schemas"]["MePlace"];
            limits: components["schemas"]["MeLimits"];
        };
        MeLimits: {
            /** @description The limit of all keys of the environment together, or of the person. Null: no limit. */
            requests_per_minute: number | null;
            recipients_per_message: number;
            attachments_per_message: number;
            message_size_bytes: number;
            messages_per_batch: number;
        };
        MePerson: {
            user: components["schemas"]["User"];
            /** @description In the organization. */
            role: components["schemas"]["Role"];
            /** @description All workspaces that the header X-Workspace-Id may name. */
            workspaces: components["schemas"]["MeWorkspace"][];
        };
        MePlace: {
            id: string;
            /** @description Null for a request that is narrowed to a sub-tenant. */
            name: string | null;
        };
        MeWorkspace: {
            id: string;
            name: string;
            organization_id: string;
            role: components["schemas"]["Role"];
        };
        Member: {
            /** @description The id of the user. */
            id: string;
            /** @constant */
            object: "member";
            /** Format: email */
            email: string;
            name: string | null;
            /** @description `owner`: everything. `admin`: everything but what concerns owners. `member`: mail, contacts, campaigns, sub-tenants. `viewer`: reads. */
            role: components["schemas"]["Role"];
            /** @description Whether the person signs in with a second factor. */
            totp: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        MemberDeleted: {
            id: string;
            /** @constant */
            object: "member";
            /** @constant */
            deleted: true;
        };
        MemberList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Member"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        MemberUpdate: {
            /** @description `owner`: everything. `admin`: everything but what concerns owners. `member`: mail, contacts, campaigns, sub-tenants. `viewer`: reads. */
            role: components["schemas"]["Role"];
        };
        Message: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "message";
            type: components["schemas"]["MessageType"];
            status: components["schemas"]["MessageStatus"];
            /** Format: email */
            to: string;
            from: components["schemas"]["Mailbox"];
            reply_to: components["schemas"]["Mailbox"] | null;
            /** @description All of them, where there are several; `reply_to` is the first. */
            reply_to_list?: components["schemas"]["Mailbox"][];
            subject: string;
            sub_tenant_id: string | null;
            template_id: string | null;
            template_version: number | null;
            priority: components["schemas"]["MessagePriority"];
            tags: string[];
            metadata: {
                [key: string]: unknown;
            };
            attachments: components["schemas"]["Attachment"][];
            /** Format: date-time */
            opened_at: string | null;
            /** Format: date-time */
            clicked_at: string | null;
            idempotency_key: string | null;
            provider: string | null;
            provider_message_id: string | null;
            /** @description Its Message-ID, as it stands in the mail: with angle brackets. Copies to cc and bcc have the same one. */
            internet_message_id: string | null;
            content_hash: string;
            sandbox: boolean;
            error: components["schemas"]["MessageError"] | null;
            last_attempt: components["schemas"]["MessageLastAttempt"] | null;
            /** Format: date-time */
            scheduled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            recipient_role: components["schemas"]["RecipientRole"];
            track_opens: boolean;
            track_clicks: boolean;
            direction: components["schemas"]["Direction"];
            thread_id: string | null;
            /** @description The campaign that it is a copy of. */
            campaign_id: string | null;
            /** @description The sequence that sent it. */
            sequence_id: string | null;
            /** @description Which copy it is: a variant's tag, a split's key, a sequence's step. */
            variant: string | null;
            /** @description The list of its topic. */
            topic_id: string | null;
            received?: components["schemas"]["ReceivedPart"];
            /** @description The messages to cc and bcc; on the answer that made them. */
            copies?: components["schemas"]["MessageCopy"][];
            /** @description The messages to all other recipients, those in to, cc and bcc; on the answer that made them, where there are any. */
            recipients?: components["schemas"]["MessageCopy"][];
        };
        MessageAudit: {
            message_id: string;
            status: components["schemas"]["MessageStatus"];
            /** @description In the order in which it happened. */
            trail: components["schemas"]["MessageAuditEntry"][];
        };
        MessageAuditEntry: {
            event: components["schemas"]["MessageTrailEvent"];
            actor: components["schemas"]["Actor"];
            /** Format: date-time */
            timestamp: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @description On `suppressed`: why it was not sent, what that ends, and what changes it. */
            explanation?: string;
            provider?: string;
            provider_message_id?: string;
            ip?: string;
            user_agent?: string;
        };
        MessageBatch: {
            /** @constant */
            object: "list";
            /** @description In the order of the request. */
            data: (components["schemas"]["Message"] | components["schemas"]["Error"])[];
        };
        MessageBatchCreate: {
            /** @description Each item as the body of POST /v1/messages, with an idempotency_key of its own. */
            messages: components["schemas"]["MessageCreate"][];
            /** @description True: all or nothing. When one item is refused, the whole request is refused, `details.items` says which and why, and no message is sent. Default `false`. */
            atomic?: boolean;
        };
        MessageContent: {
            /** @constant */
            object: "message_content";
            message_id: string;
            subject: string;
            html: string | null;
            text: string | null;
            to: components["schemas"]["Mailbox"][];
            cc: components["schemas"]["Mailbox"][];
            /** @description Your own header fields. */
            headers: {
                [key: string]: string;
            };
        };
        MessageCopy: {
            id: string;
            /** @constant */
            object: "message";
            /** Format: email */
            to: string;
            recipient_role: components["schemas"]["RecipientRole"];
        };
        /** @description One message to each recipient: to, cc and bcc. */
        MessageCreate: {
            /** @description An address, `Name <address>`, {email, name}, or a list of these. All are shown in one To field; each is sent a message of its own. to, cc and bcc name 50 recipients at most, together. */
            to: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description One or a list. Each is sent a message of its own. */
            cc?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description One or a list. Like cc, and not shown to anyone. */
            bcc?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description Overrides the template's; one of them is needed. */
            subject?: string;
            /** @description Inline body; omit it with a template. */
            html?: string;
            /** @description Inline body; omit it with a template. */
            text?: string;
            /** @description A template's slug. */
            template?: string;
            /** @description A template's id. */
            template_id?: string;
            /** @description Merged into the template or the inline content; they win over the fields of the saved contact. Inline content is filled if variables are given (an empty object will do), if the recipient is a saved contact, or if the type is marketing or sales; otherwise it is sent as it is. With several recipients everybody gets the one mail, filled from the contact of the first `to`. */
            variables?: {
                [key: string]: unknown;
            };
            from?: components["schemas"]["MailboxInput"];
            /** @description Address for replies: one or a list. You must be allowed to use each. */
            reply_to?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description Default `"transactional"`. */
            type?: components["schemas"]["MessageType"];
            /** @description Default `"normal"`. */
            priority?: components["schemas"]["MessagePriority"];
            /** @description ISO 8601 with an offset, at most a year ahead: sent then and not now. */
            send_at?: string;
            /** @description ISO 8601 with an offset, later than now and than send_at: trying to deliver ends then, when that is before the end of the queue lifetime. For codes and other mail that is worthless when it is late. */
            expires_at?: string;
            /** @description Placeholders in inline html, text and subject are filled as `variables` says. False: the content goes out as it stands. Default `true`. */
            render?: boolean;
            /** @description True: if the template or inline content shows a variable that has no value, the message is refused with `validation_error`, which names each. A variable that is given as an empty text has a value. Default `false`. */
            require_variables?: boolean;
            /** @description True: only to servers with verified TLS that promise the same onwards (REQUIRETLS, RFC 8689); otherwise the message bounces. Default `false`. */
            require_tls?: boolean;
            /** @description Or the header Idempotency-Key. */
            idempotency_key?: string;
            tags?: string[];
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            attachments?: components["schemas"]["AttachmentInput"][];
            /** @description Further header fields. Fields that the service or mail systems write are refused: From, To, Date, Received, DKIM-Signature, Content-*, and the like. List-Unsubscribe (https and mailto URIs), List-Unsubscribe-Post and Message-ID are taken for transactional mail without a topic; in other mail the service writes them. */
            headers?: {
                [key: string]: string;
            };
            /** @description True writes `Auto-Submitted: auto-generated` (RFC 3834): vacation responders do not answer the message, and some help desks suspend it. The default is true for marketing and sales mail and false for transactional mail. `headers` may name another value instead. */
            auto_submitted?: boolean;
            /** @description Its id, or `external:` and its external id. Without it, a From on the domain of a verified sub-tenant sends as that one. */
            sub_tenant_id?: string;
            /** @description Continues a thread: sets In-Reply-To and References, unless headers gives them. */
            thread_id?: string;
            /** @description The id of a list, `lst_…`, that stands for the purpose of the message: whoever has unsubscribed from that list is not sent it, and its unsubscribe link leaves that list alone. The list belongs to the sender: to the sub-tenant, or to the workspace. Nobody has to be on it. */
            topic?: string;
            /** @description Only html can be tracked. */
            track_opens?: boolean;
            /** @description Only html can be tracked. */
            track_clicks?: boolean;
        };
        /** @description Why the message bounced or failed. */
        MessageError: {
            type: components["schemas"]["MessageErrorType"];
            category: components["schemas"]["ErrorCategory"];
            /** @description The SMTP reply code. */
            code: number | null;
            /** @description RFC 3463, such as 5.1.1. */
            enhanced_code: string | null;
            message: string;
            remote_host: string | null;
            /** Format: date-time */
            occurred_at: string;
        };
        /** @enum {string} */
        MessageErrorType: "hard" | "soft" | "failure";
        MessageExportCreate: {
            /** @constant */
            kind: "messages";
            /** @description Default `"csv"`. */
            format?: components["schemas"]["TransferFormat"];
            sub_tenant_id?: string | null;
            /** @description Any of these. */
            status?: components["schemas"]["MessageStatus"][];
            /** @description Recipients' addresses. Any of these. */
            to?: string[];
            /** @description Senders' addresses. Any of these. */
            from?: string[];
            /** @description Part of the subject. */
            subject?: string;
            /** @description Any of these. */
            type?: components["schemas"]["MessageType"][];
            /** @description Tags. Any of these. */
            tag?: string[];
            /** @description Keys of the first level and their values as text. All of several must hold. */
            metadata?: {
                [key: string]: string;
            };
            thread_id?: string;
            campaign_id?: string;
            sequence_id?: string;
            in_doubt?: boolean;
            /** @description Found in the recipient or the subject. */
            q?: string;
            /** @description A date, or ISO 8601 with an offset; inclusive. */
            created_after?: string;
            /** @description A date, or ISO 8601 with an offset; exclusive. */
            created_before?: string;
        };
        /** @description The latest delivery attempt. A message is `sent` from its first attempt on; the outcome tells whether a server accepted it. */
        MessageLastAttempt: {
            /** @description From 1. */
            number: number;
            outcome: components["schemas"]["AttemptOutcome"];
            /** Format: date-time */
            at: string;
            /**
             * Format: date-time
             * @description Null if Mailkeel makes no further attempt.
             */
            next_attempt_at: string | null;
        };
        MessageList: {
            /** @constant */
            object: "list";
            data: (components["schemas"]["Message"] | components["schemas"]["MessageSummary"])[];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        MessagePriority: "high" | "normal" | "low";
        /** @enum {string} */
        MessageStatus: "queued" | "sending" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "received";
        MessageSummary: {
            id: string;
            type: components["schemas"]["MessageType"];
            status: components["schemas"]["MessageStatus"];
            /** Format: email */
            to: string;
            from: components["schemas"]["Mailbox"];
            subject: string;
            sub_tenant_id: string | null;
            tags: string[];
            /** Format: date-time */
            opened_at: string | null;
            /** Format: date-time */
            clicked_at: string | null;
            sandbox: boolean;
            last_attempt: components["schemas"]["MessageLastAttempt"] | null;
            /** Format: date-time */
            scheduled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            direction: components["schemas"]["Direction"];
            thread_id: string | null;
            /** @description The campaign that it is a copy of. */
            campaign_id: string | null;
            /** @description The sequence that sent it. */
            sequence_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "message_summary";
        };
        /** @enum {string} */
        MessageTrailEvent: "queued" | "sending" | "sent" | "deferred" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "unsubscribed" | "received" | "auto_replied" | "rescheduled";
        /** @enum {string} */
        MessageType: "transactional" | "marketing" | "sales";
        MessageUpdate: {
            /** @description ISO 8601 with an offset; up to 5 minutes past means now. */
            send_at: string;
        };
        Node: {
            id: string;
            /** @constant */
            object: "node";
            /** @description The machine's name. */
            host: string;
            version: string;
            roles: components["schemas"]["NodeRole"][];
            /** @description `leaving`: it gives its work to the others, and ends. */
            status: components["schemas"]["NodeStatus"];
            /** @description It is the node that answers. */
            is_this: boolean;
            /** @description Sources and smarthosts that mail can leave it by. */
            sources: string[];
            /** @description Parts of the paths, 64 for each source, that it delivers by. */
            path_leases: number;
            /** @description Work that one node at a time does, which this one has: all of it, or for some of the workspaces. */
            rooms: string[];
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            seen_at: string;
        };
        NodeList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Node"][];
        };
        /** @enum {string} */
        NodeRole: "api" | "relay" | "inbound" | "mta" | "webhooks" | "schedules" | "dns";
        /** @enum {string} */
        NodeStatus: "working" | "leaving";
        OpenInvitation: {
            /** @constant */
            object: "invitation";
            organization_name: string;
            /** Format: email */
            email: string;
            /** @description `owner`: everything. `admin`: everything but what concerns owners. `member`: mail, contacts, campaigns, sub-tenants. `viewer`: reads. */
            role: components["schemas"]["Role"];
            /** @description The address has an account: its password is needed, not a new one. */
            has_account: boolean;
            /** Format: date-time */
            expires_at: string;
        };
        Organization: {
            id: string;
            /** @constant */
            object: "organization";
            name: string;
            postal_address: string | null;
            /** @description The mail that an unsubscribe ends: all, or only marketing and sales. */
            unsubscribe_blocks: components["schemas"]["UnsubscribeBlocks"];
            track_opens: boolean;
            track_clicks: boolean;
            /** @description Types of messages whose opens and clicks are not tracked unless the message says so. */
            untracked_types: components["schemas"]["MessageType"][];
            /** @description The addresses that `reply_to` may name: those of verified senders, or any. The vendor APIs and the relay take any. */
            reply_to_policy: components["schemas"]["ReplyToPolicy"];
            branding: components["schemas"]["Branding"];
            plan: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OrganizationUpdate: {
            name?: string;
            /** @description Shown in the footer of campaign copies, and of marketing and sales mail of sequences. Without it all marketing and sales mail is refused. */
            postal_address?: string | null;
            /** @description The mail that an unsubscribe ends: all, or only marketing and sales. */
            unsubscribe_blocks?: components["schemas"]["UnsubscribeBlocks"];
            /** @description Default for messages without their own setting. */
            track_opens?: boolean;
            /** @description Default for messages without their own setting. */
            track_clicks?: boolean;
            /** @description Types of messages whose opens and clicks are not tracked unless the message says so. */
            untracked_types?: components["schemas"]["MessageType"][];
            /** @description The addresses that `reply_to` may name: those of verified senders, or any. The vendor APIs and the relay take any. */
            reply_to_policy?: components["schemas"]["ReplyToPolicy"];
            branding?: components["schemas"]["BrandingUpdate"];
        };
        /** @enum {string} */
        PageLanguage: "en" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "pt-BR";
        PasswordChange: {
            current: string;
            /** @description 12 to 200 characters, not the address, and not a common password. */
            new: string;
        };
        PasswordResetConfirm: {
            /** @description The part of the link after the #. */
            token: string;
            password: string;
        };
        PasswordResetDone: {
            /** @constant */
            object: "password_reset";
            /** @constant */
            done: true;
        };
        PasswordResetRequest: {
            email: string;
        };
        PasswordResetRequested: {
            /** @constant */
            object: "password_reset";
            /** Format: email */
            email: string;
        };
        Proof: {
            /** @constant */
            object: "proof";
            bundle: components["schemas"]["ProofBundle"];
            /** @description Base64 of the Ed25519 signature over the RFC 8785 text of bundle. */
            signature: string;
            key_id: string;
            /** @constant */
            algorithm: "ed25519";
            /** @description The 32 octets of the public key, base64. */
            public_key: string;
            attestation: components["schemas"]["ProofAttestation"];
            /** @description Base64, over the RFC 8785 text of {attestation, signature}. */
            attestation_signature: string;
        };
        ProofAttestation: {
            sandbox: boolean;
            /** @description Head of the workspace's audit chain at issue, hex. */
            chain_head: string;
            /** @description The reply of the recipient's server at each delivery. */
            evidence?: {
                /** Format: date-time */
                occurred_at: string;
                host: string | null;
                tls_version: string | null;
                reply: string | null;
            }[];
        };
        ProofAuditEntry: {
            event: string;
            /** Format: date-time */
            occurred_at: string;
            actor: string;
        };
        ProofBundle: {
            message_id: string;
            content_hash: string;
            subject: string;
            /** Format: email */
            to: string;
            from: string;
            status: string;
            workspace_id: string;
            /** Format: date-time */
            created_at: string;
            audit: components["schemas"]["ProofAuditEntry"][];
            /** Format: date-time */
            issued_at: string;
        };
        ProofKey: {
            key_id: string;
            /** @constant */
            algorithm: "ed25519";
            public_key: string;
            created_at: string;
            retired_at: string | null;
            /** @description The key signs proofs of sandbox mail alone. */
            sandbox: boolean;
        };
        ProofKeySet: {
            keys: components["schemas"]["ProofKey"][];
        };
        ProofVerification: {
            /** @constant */
            object: "proof_verification";
            valid: boolean;
            /** @description True: a test key made the message, and it was delivered to nobody. Null where the proof does not hold, or is of an earlier release, without attestation, and of a message that is gone. */
            sandbox: boolean | null;
        };
        ProofVerify: {
            bundle: components["schemas"]["ProofBundle"];
            signature: unknown;
            attestation?: components["schemas"]["ProofAttestation"];
            attestation_signature?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        Provider: "mta" | "smarthost" | "simulator";
        Queue: {
            /** @constant */
            object: "queue";
            /** @description Messages that still have to leave. */
            depth: number;
            /** @description Of those, with their time come. */
            due: number;
            /** @description Of those, waiting for a later time: send_at, or the next attempt. */
            scheduled: number;
            /** @description Of those, being delivered right now. */
            leased: number;
            /** @description Of those, held by the appliance: no signing key, a suspended sub-tenant, a fault. */
            held: number;
            transactional: number;
            /** @description Marketing and sales. */
            bulk: number;
            /** @description Different recipient domains. */
            destinations: number;
            /**
             * Format: date-time
             * @description When the oldest of them was accepted.
             */
            oldest_at: string | null;
            /**
             * Format: date-time
             * @description When the first of those waiting is due, or when it may go, if that is known to be later.
             */
            next_attempt_at: string | null;
        };
        /** @description Waiting mail for one recipient domain. */
        QueueDestination: {
            /** @constant */
            object: "queue_destination";
            domain: string;
            /** @description Who runs its mail hosts, when that is known. */
            provider: string | null;
            /** @description Messages that still have to leave. */
            depth: number;
            /** @description Of those, with their time come. */
            due: number;
            /** @description Of those, being delivered right now. */
            leased: number;
            /** @description Of those, held by the appliance: no signing key, a suspended sub-tenant, a fault. */
            held: number;
            /**
             * Format: date-time
             * @description When the oldest of them was accepted.
             */
            oldest_at: string | null;
            /**
             * Format: date-time
             * @description When the first of those waiting is due, or when it may go, if that is known to be later.
             */
            next_attempt_at: string | null;
            /** @description `flowing`: being delivered. `waiting`: due and in line, or for its time. `deferred`: put off by the mail host. `paused`: by request. `suspended`: nothing goes there for a while. `limited`: no more may go now. */
            state: components["schemas"]["QueueDestinationState"];
            reason: components["schemas"]["QueueReason"] | null;
            last_reply: components["schemas"]["QueueReply"] | null;
        };
        QueueDestinationList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["QueueDestination"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        QueueDestinationPause: {
            /** @description The reason, shown where somebody asks why mail waits. */
            reason?: string;
        };
        /** @enum {string} */
        QueueDestinationState: "flowing" | "waiting" | "deferred" | "paused" | "suspended" | "limited";
        /** @description A limit that a mail host's replies set on a path, until it expires or is removed. */
        QueueOverride: {
            id: string;
            /** @constant */
            object: "queue_override";
            /** @description The sending address and the provider or site, such as `default > google`. */
            path: string;
            provider: string | null;
            site: string;
            source: string;
            kind: components["schemas"]["QueueOverrideKind"];
            /** @description The present limit, by its kind; for a circuit breaker its state. */
            value: unknown;
            /** @description Set: applies to this sub-tenant only. */
            sub_tenant_id: string | null;
            /** @description The rule that set it. */
            rule: string;
            reason: string;
            /** @description The reply of the mail host; for the operator's keys only. */
            reply: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        QueueOverrideDeleted: {
            id: string;
            /** @constant */
            object: "queue_override";
            /** @constant */
            deleted: true;
        };
        /** @enum {string} */
        QueueOverrideKind: "connections" | "rate" | "messages_per_connection" | "suspend" | "suspend_tenant";
        QueueOverrideList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["QueueOverride"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        QueuePurge: {
            /** @constant */
            object: "queue_purge";
            action: components["schemas"]["QueuePurgeAction"];
            dry_run: boolean;
            /** @description Waiting messages that fit, as far as was looked. */
            matched: number;
            canceled: number;
            bounced: number;
            /** @description Messages that may have arrived already. They are not tried again, and are neither canceled nor bounced. */
            in_doubt: number;
            /** @description The first of them. */
            message_ids: string[];
            /** @description False when there was no time for all: send the same request again. */
            complete: boolean;
        };
        /** @enum {string} */
        QueuePurgeAction: "cancel" | "bounce";
        QueuePurgeRequest: {
            /** @description `cancel`: the messages are canceled. `bounce`: they bounce, and submitters over SMTP get a report. */
            action: components["schemas"]["QueuePurgeAction"];
            /** @description Only mail to this recipient domain. */
            domain?: string;
            /** @description Only mail of this sub-tenant. */
            sub_tenant_id?: string;
            /** @description Only messages with this tag. */
            tag?: string;
            /** @description Only copies of this campaign. */
            campaign_id?: string;
            /** @description Only messages of these types. */
            type?: components["schemas"]["MessageType"][];
            /** @description Only messages accepted before this time, such as 2026-03-01T09:00:00Z. */
            accepted_before?: string;
            /** @description True: everything that waits. Needed where no filter is given. Default `false`. */
            all?: boolean;
            /** @description The reason, shown in the messages' trail and in their bounces. Default `"no reason was given"`. */
            reason?: string;
            /** @description True: counts what fits and changes nothing. False: does it. */
            dry_run: boolean;
        };
        /** @description Why the mail waits, with the code that explains its messages. */
        QueueReason: {
            code: string;
            text: string;
            /** Format: date-time */
            until: string | null;
        };
        /** @description The last reply to a message that waits now. */
        QueueReply: {
            /** Format: date-time */
            at: string;
            code: number | null;
            enhanced_code: string | null;
            text: string;
            host: string | null;
        };
        QueueRetry: {
            /** @constant */
            object: "queue_retry";
            domain: string;
            /** @description Messages that are due now and were not before. */
            retried: number;
            /** @description Messages left as they are, since the receiver's last reply asked to wait. */
            waiting: number;
        };
        Readiness: {
            /** @constant */
            status: "ready";
            /** @description Problems that need a person, although the service works. Empty when there are none. */
            warnings: string[];
        };
        ReceivedArc: {
            result: string;
        };
        /** @description SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617) as seen when it arrived. */
        ReceivedAuthentication: {
            spf: components["schemas"]["ReceivedSpf"];
            dkim: components["schemas"]["ReceivedDkim"][];
            dmarc: components["schemas"]["ReceivedDmarc"];
            arc: components["schemas"]["ReceivedArc"];
        };
        ReceivedDkim: {
            result: string;
            domain: string;
            selector: string;
            /** @description The domain is that of From, or belongs to the same organization. */
            aligned: boolean;
        };
        ReceivedDmarc: {
            result: string;
            policy: string | null;
            domain: string | null;
        };
        /** @description Of a received message only. */
        ReceivedPart: {
            /** @description The message of yours that it answers. */
            in_reply_to: string | null;
            /** @description Kind of automatic answer, such as `vacation`; null for a person’s. */
            auto_reply: string | null;
            /** @description The new text: without quotes and signature. */
            visible_text: string | null;
            /** @description The same of the html part. Not sanitized: do not trust it. */
            visible_html: string | null;
            /** @description The quoted rest. */
            quoted_text: string | null;
            signature: string | null;
            /** @description The whole text part. */
            text: string | null;
            /** @description The whole html part. Not sanitized: do not trust it. */
            html: string | null;
            /** @description Its Message-ID, without angle brackets. */
            message_id: string | null;
            /** @description The envelope sender; empty for the null sender. */
            mail_from: string;
            client_address: string | null;
            /** @description The TLS version of the session; null: in clear. */
            tls: string | null;
            authentication: components["schemas"]["ReceivedAuthentication"] | null;
            /** @description The parts that could not be read, and why. The raw form has all. */
            problems: string[];
            /** Format: date-time */
            received_at: string;
        };
        ReceivedSpf: {
            result: string;
            domain: string | null;
        };
        /** @enum {string} */
        RecipientRole: "to" | "cc" | "bcc";
        RecoveryCodes: {
            /** @constant */
            object: "recovery_codes";
            /** @description Each signs in once in place of a code of the app. They are shown here and never again. */
            recovery_codes: string[];
        };
        Reload: {
            /** @constant */
            object: "reload";
            dry_run: boolean;
            /** @description None: mail goes on as it was. */
            changes: components["schemas"]["ReloadChange"][];
            /** @description What is allowed and was probably not meant. */
            warnings: string[];
            /** @description Settings that differ from those in use, and count after a restart only. */
            need_restart: string[];
        };
        ReloadChange: {
            part: components["schemas"]["ReloadPart"];
            /** @description Of a source, pool or smarthost. */
            name: string | null;
            change: components["schemas"]["ReloadChangeKind"];
        };
        /** @enum {string} */
        ReloadChangeKind: "added" | "removed" | "changed";
        /** @enum {string} */
        ReloadPart: "source" | "pool" | "smarthost" | "routes" | "default" | "overflow" | "shaping" | "providers" | "bounce_rules";
        ReloadRequest: {
            /** @description True: checks the files and says what would change. Default `false`. */
            dry_run?: boolean;
        };
        RenderedContent: {
            /** @constant */
            object: "rendered_content";
            subject: string | null;
            html: string | null;
            text: string | null;
            /** @description Names whose placeholders are empty: neither variables, contact nor built-ins filled them. */
            missing: string[];
        };
        RenderedTemplate: {
            /** @constant */
            object: "rendered_template";
            template_id: string;
            version: number;
            subject: string | null;
            html: string | null;
            text: string | null;
            /** @description Names whose placeholders are empty: neither variables, contact nor built-ins filled them. */
            missing: string[];
        };
        /** @enum {string} */
        ReplyToPolicy: "verified" | "any";
        /** @description In the key's environment, as the last sweep saw it. */
        Reputation: {
            /** @description `warned` and `throttled` end by themselves when the rate falls; `paused`, by a rate, when somebody resumes it. */
            state: components["schemas"]["ReputationState"];
            /** @description Complaints of delivered messages, a share of 1; null when nothing was delivered. */
            complaint_rate: number | null;
            /** @description Bounces of sent messages, a share of 1; null when nothing was sent. */
            bounce_rate: number | null;
            delivered: number;
            /** @description Trailing days that the figures are of, by the time of the events. */
            window_days: number;
            /** Format: date-time */
            changed_at: string | null;
        };
        ReputationChange: {
            event: components["schemas"]["ReputationEvent"];
            actor: components["schemas"]["Actor"];
            /** Format: date-time */
            timestamp: string;
            metadata: {
                [key: string]: unknown;
            };
        };
        ReputationDay: {
            /** Format: date */
            date: string;
            sent: number;
            delivered: number;
            bounced: number;
            complained: number;
            /** @description Complaints of delivered messages, a share of 1; null when nothing was delivered. */
            complaint_rate: number | null;
            /** @description Bounces of sent messages, a share of 1; null when nothing was sent. */
            bounce_rate: number | null;
        };
        /** @enum {string} */
        ReputationEvent: "tenant_warned" | "tenant_throttled" | "tenant_paused" | "tenant_recovered";
        ReputationLevels: {
            /** @description With fewer delivered messages the state does not get worse. */
            min_delivered: number;
            /** @description Complaint rate from which it is warned. */
            warn: number;
            /** @description Complaint rate from which it is throttled. */
            throttle: number;
            /** @description Messages in any hour when it is throttled. */
            throttle_per_hour: number;
            /** @description A level ends when the rate is below this share of it. */
            recovery_ratio: number;
            /** @description Complaint rate from which it is paused; null: never. */
            pause_complaint: number | null;
            /** @description Bounce rate from which it is paused; null: never. */
            pause_bounce: number | null;
        };
        ReputationPause: {
            /** Format: date-time */
            at: string;
            cause: components["schemas"]["ReputationPauseCause"];
        };
        /** @enum {string} */
        ReputationPauseCause: "requested" | "complaint_rate" | "bounce_rate";
        /** @enum {string} */
        ReputationState: "ok" | "warned" | "throttled" | "paused";
        Request: {
            id: string;
            /** @constant */
            object: "request";
            /** @description The operationId. */
            operation: string;
            method: components["schemas"]["RequestMethod"];
            /** @description Without the query; parts that may be personal are named, not shown. */
            path: string;
            status: number;
            /** @description `error.code`; null of a success. */
            code: string | null;
            /** @description `error.param`. */
            param: string | null;
            duration_ms: number;
            actor: components["schemas"]["RequestActor"];
            sub_tenant_id: string | null;
            /** @description As the header X-Request-Id of the answer. */
            request_id: string;
            /** @description The query without secrets and personal data: texts are shown by their length, addresses by their domain. `null` if there is none. */
            query: unknown;
            /** @description The body without secrets and personal data: texts are shown by their length, addresses by their domain. `null` if there is none. */
            body: unknown;
            /** Format: date-time */
            created_at: string;
        };
        RequestActor: {
            kind: components["schemas"]["RequestActorKind"];
            id: string;
        };
        /** @enum {string} */
        RequestActorKind: "api_key" | "user";
        RequestList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Request"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        RequestMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
        /** @enum {string} */
        RetentionMode: "redact" | "delete";
        /** @enum {string} */
        Role: "owner" | "admin" | "member" | "viewer";
        /** @description A way that the operator gives to mail. A criterion that is null does not count. */
        Route: {
            id: string;
            /** @constant */
            object: "route";
            domains: string[] | null;
            providers: string[] | null;
            sub_tenants: string[] | null;
            types: components["schemas"]["MessageType"][] | null;
            tags: string[] | null;
            /** @description Ways, the first to be tried first: `pool:name` or `smarthost:name`, as the egress file names them. */
            via: string[];
            reason: string;
            /** @description `broken`: it names what the egress has no more, and is skipped. */
            state: components["schemas"]["RouteState"];
            /** @description Of a broken one. */
            problem: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        RouteChange: {
            /** @constant */
            object: "route_change";
            dry_run: boolean;
            route: components["schemas"]["Route"] | null;
            /** @description Waiting live messages that it is for, as far as was looked. */
            matched: number;
            /** @description The 50 with the most. */
            destinations: components["schemas"]["RouteDestination"][];
            /** @description False when there was no time to look at all of them. */
            complete: boolean;
        };
        RouteDeleted: {
            id: string;
            /** @constant */
            object: "route";
            /** @constant */
            deleted: true;
        };
        RouteDestination: {
            domain: string;
            messages: number;
        };
        RouteList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Route"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        RouteRequest: {
            /** @description Recipient domains; `*.example.com` is every name below example.com. */
            domains?: string[];
            /** @description Who runs the mail hosts, such as `google`. */
            providers?: string[];
            /** @description Sub-tenants, by their id or by your own id of them. */
            sub_tenants?: string[];
            types?: components["schemas"]["MessageType"][];
            /** @description Messages with any of these tags. */
            tags?: string[];
            /** @description True: all mail. Needed where no criterion is given. Default `false`. */
            all?: boolean;
            /** @description Ways, the first to be tried first: `pool:name` or `smarthost:name`, as the egress file names them. */
            via: string[];
            /** @description Shown to the operator only. */
            reason: string;
            /** @description When it ends by itself. Default: it does not. */
            expires_at?: string;
            /** @description True: checks it and counts the waiting mail that it is for, and changes nothing. Default `false`. */
            dry_run?: boolean;
        };
        /** @enum {string} */
        RouteState: "active" | "broken";
        SandboxAddress: {
            /** @constant */
            object: "sandbox_address";
            /** @description At any domain, in either case of letters; the part after a `+` is free. */
            local_part: string;
            example: string;
            /** @description The behaviour of every other address. */
            is_default: boolean;
            steps: {
                /** @description An event of the trail, or `replied`: a reply comes in. */
                event: string;
                /** @description Milliseconds after the step before it. */
                after_ms: number;
                /** @description The reply of the simulated server. */
                reply: {
                    code: number;
                    enhanced_code: string;
                    message: string;
                    category: components["schemas"]["BounceCategory"] | null;
                } | null;
            }[];
        };
        SandboxAddressList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["SandboxAddress"][];
            /** @constant */
            has_more: false;
            next_cursor: null;
        };
        SavedBlock: {
            id: string;
            /** @constant */
            object: "saved_block";
            name: string;
            /** @description A block of a template design. The server stores it as it is. At most 65,536 characters of JSON. */
            block: {
                [key: string]: unknown;
            };
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SavedBlockCreate: {
            name: string;
            /** @description A block of a template design. The server stores it as it is. At most 65,536 characters of JSON. */
            block: {
                [key: string]: unknown;
            };
            sub_tenant_id?: string | null;
        };
        SavedBlockDeleted: {
            id: string;
            /** @constant */
            object: "saved_block";
            /** @constant */
            deleted: true;
        };
        SavedBlockList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["SavedBlock"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        SavedBlockUpdate: {
            name: string;
        };
        Search: {
            /** @constant */
            object: "search";
            q: string;
            /** @description By type, the newest first in each. */
            data: components["schemas"]["SearchResult"][];
            /** @description Types that may have more than is shown; their lists take the same `q`. */
            more: components["schemas"]["SearchResultType"][];
        };
        SearchResult: {
            /** @constant */
            object: "search_result";
            type: components["schemas"]["SearchResultType"];
            id: string;
            /** @description Its name, address or subject. */
            title: string;
            /** @description A detail that identifies it: an address, a slug, a domain. */
            detail: string | null;
            status: string | null;
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @enum {string} */
        SearchResultType: "message" | "contact" | "template" | "campaign" | "list" | "sub_tenant" | "sender" | "suppression";
        /**
         * @description Makes the list a segment: `all` or `any` of conditions {field, op, value} or further groups, 3 levels and 50 conditions at most. Fields: email, name, phone (eq, neq, contains, starts_with, ends_with, in, not_in, exists, not_exists), status (eq, neq, in, not_in), tag (has, not_has, in, not_in, exists, not_exists), list (has, not_has, in, not_in, with ids), created_at, updated_at (before, after), metadata.<key> (as email, and gt, gte, lt, lte with a number, before and after with a day). Text is compared without regard to case; a condition on something that a contact does not have is false, and its negation true.
         * @example {
         *       "all": [
         *         {
         *           "field": "tag",
         *           "op": "has",
         *           "value": "vip"
         *         },
         *         {
         *           "field": "metadata.city",
         *           "op": "eq",
         *           "value": "Bremen"
         *         }
         *       ]
         *     }
         */
        SegmentFilter: {
            all?: unknown[];
            any?: unknown[];
        };
        Sender: {
            id: string;
            /** @constant */
            object: "sender";
            kind: components["schemas"]["SenderKind"];
            /** @description Of an address. */
            email: string | null;
            /** @description The domain, or that of the address. */
            domain: string;
            name: string | null;
            /** @description `suspended`: DNS has not shown the key that signs for longer than the grace, or another workspace has proved the domain since; its mail waits. An address that only its domain vouches for has the status of the domain. */
            status: components["schemas"]["SenderStatus"];
            is_default: boolean;
            sub_tenant_id: string | null;
            dns: components["schemas"]["DnsDrift"] | null;
            /** @description Of a domain; an address has none. */
            dns_records: components["schemas"]["DnsRecord"][];
            /** Format: date-time */
            confirmation_expires_at: string | null;
            /** Format: date-time */
            verified_at: string | null;
            /** Format: date-time */
            last_checked_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description An address has no keys and no records: its owner confirms it by mail. */
        SenderAuthentication: {
            /** @constant */
            object: "sender_authentication";
            sender_id: string;
            /** @description The domain, or that of the address. */
            domain: string;
            status: components["schemas"]["SenderStatus"];
            dns: components["schemas"]["DnsDrift"] | null;
            keys: components["schemas"]["DkimKey"][];
            records: components["schemas"]["DnsRecordAdvice"][];
            /** Format: date-time */
            last_checked_at: string | null;
        };
        /** @description Either `email` (with `name`) or `domain`. */
        SenderCreate: {
            /** @description An address; its owner confirms it by a mailed link. */
            email?: string;
            /** @description Display name of the address. */
            name?: string | null;
            /** @description A domain; DNS records prove it. */
            domain?: string;
            sub_tenant_id?: string | null;
        };
        SenderDeleted: {
            id: string;
            /** @constant */
            object: "sender";
            /** @constant */
            deleted: true;
        };
        /** @enum {string} */
        SenderKind: "address" | "domain";
        SenderList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Sender"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        SenderStatus: "pending_verification" | "verified" | "failed" | "suspended";
        Sequence: {
            id: string;
            /** @constant */
            object: "sequence";
            name: string;
            type: components["schemas"]["MessageType"];
            status: components["schemas"]["SequenceStatus"];
            problem: components["schemas"]["SequenceProblem"] | null;
            trigger: components["schemas"]["SequenceTrigger"];
            steps: components["schemas"]["SequenceStep"][];
            exit_on: components["schemas"]["SequenceExitEvent"][];
            goal: components["schemas"]["SequenceGoal"] | null;
            from: components["schemas"]["Mailbox"] | null;
            reply_to: components["schemas"]["Mailbox"] | null;
            sub_tenant_id: string | null;
            /** @description Messages of it that may have arrived or not; `resend-in-doubt` sends these again. */
            in_doubt: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SequenceAnalytics: {
            /** @constant */
            object: "sequence_analytics";
            sequence_id: string;
            entered: number;
            active: number;
            completed: number;
            exited: number;
            canceled: number;
            failed: number;
            exits: components["schemas"]["SequenceExitCount"][];
            failures: components["schemas"]["SequenceFailureCount"][];
            steps: components["schemas"]["SequenceStepAnalytics"][];
        };
        SequenceBranch: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "branch";
            /** @description Of the last message that the sequence sent to them; opens and clicks by people. */
            event: components["schemas"]["SequenceBranchEvent"];
            /** @description Counted from the arrival at this step; without the event the next step follows. */
            within_hours: number;
            /** @description Id of the step that follows when the event happens in that time. A circle must hold `wait` steps of an hour at least. */
            next_step_id: string;
        };
        /** @enum {string} */
        SequenceBranchEvent: "opened" | "clicked" | "delivered" | "replied" | "bounced";
        SequenceBranchInput: {
            /** @description Lower-case letters, digits, - and _; at most 40. Made when missing; it stays for good. */
            id?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "branch";
            /** @description Of the last message that the sequence sent to them; opens and clicks by people. */
            event: components["schemas"]["SequenceBranchEvent"];
            /** @description Counted from the arrival at this step; without the event the next step follows. */
            within_hours: number;
            /** @description Id of the step that follows when the event happens in that time. A circle must hold `wait` steps of an hour at least. */
            next_step_id: string;
        };
        SequenceContactCreatedTrigger: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact_created";
        };
        SequenceContactTaggedTrigger: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact_tagged";
            tag: string;
        };
        SequenceCreate: {
            name: string;
            /** @description Default `"marketing"`. */
            type?: components["schemas"]["MessageType"];
            trigger: components["schemas"]["SequenceTrigger"];
            /** @description A contact at a step that is taken out goes on with the one that came after it, when the time of the old one is up. Nobody gets two mails of one sequence within an hour: the second waits. */
            steps: components["schemas"]["SequenceStepInput"][];
            /** @description What ends an enrolment. A bounce always does, unless a branch asks for `bounced` and the address is not suppressed; opting out and complaining always end marketing and sales sequences. */
            exit_on?: components["schemas"]["SequenceExitEvent"][];
            goal?: components["schemas"]["SequenceGoal"] | null;
            from?: components["schemas"]["MailboxInput"] | null;
            reply_to?: components["schemas"]["MailboxInput"] | null;
            /** @description Default `"active"`. */
            status?: components["schemas"]["SequenceStatus"];
            sub_tenant_id?: string | null;
        };
        SequenceDeleted: {
            id: string;
            /** @constant */
            object: "sequence";
            /** @constant */
            deleted: true;
        };
        SequenceEventGoal: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "opened" | "clicked" | "replied";
        };
        SequenceExit: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exit";
        };
        SequenceExitCount: {
            reason: string;
            enrollments: number;
        };
        /** @enum {string} */
        SequenceExitEvent: "replied" | "unsubscribed" | "bounced" | "complained";
        SequenceExitInput: {
            /** @description Lower-case letters, digits, - and _; at most 40. Made when missing; it stays for good. */
            id?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exit";
        };
        SequenceFailureCount: {
            reason: string;
            enrollments: number;
        };
        /** @description Reaching it ends the enrolment with the reason `goal`. */
        SequenceGoal: components["schemas"]["SequenceEventGoal"] | components["schemas"]["SequenceTagGoal"];
        SequenceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Sequence"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        SequenceListJoinedTrigger: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "list_joined";
            list_id: string;
        };
        SequenceManualTrigger: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "manual";
        };
        /** @description Of a paused sequence: why it paused by itself, such as `template_not_found`; repair that, and resume it. Of an active one: `quota_exceeded`, the plan has no sends left; it continues by itself when sends are available again. */
        SequenceProblem: {
            code: string;
            message: string;
        };
        SequenceResendInDoubt: {
            /** @constant */
            object: "resend_in_doubt";
            sequence_id: string;
            /** @description Those that are in the queue again. */
            messages: number;
        };
        SequenceRetryFailed: {
            /** @constant */
            object: "retry_failed";
            sequence_id: string;
            /** @description Enrollments that are active again. */
            enrollments: number;
        };
        SequenceSend: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "send";
            template: string;
            subject: string | null;
            variables: {
                [key: string]: unknown;
            };
        };
        SequenceSendInput: {
            /** @description Lower-case letters, digits, - and _; at most 40. Made when missing; it stays for good. */
            id?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "send";
            /** @description A template's slug or id; its version of the moment is sent. */
            template: string;
            subject?: string | null;
            variables?: {
                [key: string]: unknown;
            };
        };
        /** @enum {string} */
        SequenceStatus: "active" | "paused";
        SequenceStep: components["schemas"]["SequenceWait"] | components["schemas"]["SequenceSend"] | components["schemas"]["SequenceBranch"] | components["schemas"]["SequenceExit"];
        SequenceStepAnalytics: {
            id: string;
            /** @enum {string} */
            type: "wait" | "send" | "branch" | "exit" | "removed";
            /** @description Enrolments that are at this step. */
            active: number;
            queued: number;
            sent: number;
            delivered: number;
            opened: number;
            clicked: number;
            replied: number;
            bounced: number;
            complained: number;
            unsubscribed: number;
            failed: number;
            suppressed: number;
            machine_opened: number;
            machine_clicked: number;
        };
        SequenceStepInput: components["schemas"]["SequenceWaitInput"] | components["schemas"]["SequenceSendInput"] | components["schemas"]["SequenceBranchInput"] | components["schemas"]["SequenceExitInput"];
        SequenceTagGoal: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "contact_tagged";
            tag: string;
        };
        /** @description What enrols a contact, once ever; `manual`: only `POST …/enroll` does, which works with every trigger. A sub-tenant's sequence takes the sub-tenant's contacts, the workspace's takes the workspace's own. */
        SequenceTrigger: components["schemas"]["SequenceManualTrigger"] | components["schemas"]["SequenceContactCreatedTrigger"] | components["schemas"]["SequenceContactTaggedTrigger"] | components["schemas"]["SequenceListJoinedTrigger"];
        SequenceUpdate: {
            name?: string;
            trigger?: components["schemas"]["SequenceTrigger"];
            /** @description A contact at a step that is taken out goes on with the one that came after it, when the time of the old one is up. Nobody gets two mails of one sequence within an hour: the second waits. */
            steps?: components["schemas"]["SequenceStepInput"][];
            /** @description What ends an enrolment. A bounce always does, unless a branch asks for `bounced` and the address is not suppressed; opting out and complaining always end marketing and sales sequences. */
            exit_on?: components["schemas"]["SequenceExitEvent"][];
            goal?: components["schemas"]["SequenceGoal"] | null;
            from?: components["schemas"]["MailboxInput"] | null;
            reply_to?: components["schemas"]["MailboxInput"] | null;
        };
        SequenceWait: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait";
            /** @description Fractions are allowed. Contacts who wait keep the time that was set. */
            hours: number;
        };
        SequenceWaitInput: {
            /** @description Lower-case letters, digits, - and _; at most 40. Made when missing; it stays for good. */
            id?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait";
            /** @description Fractions are allowed. Contacts who wait keep the time that was set. */
            hours: number;
        };
        /** @enum {string} */
        SeriesUnit: "hour" | "day";
        Session: {
            id: string;
            /** @constant */
            object: "session";
            /** @description True for the session of this request. */
            is_current: boolean;
            ip: string | null;
            user_agent: string | null;
            /** Format: date-time */
            last_used_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        SessionDeleted: {
            id: string;
            /** @constant */
            object: "session";
            /** @constant */
            deleted: true;
        };
        SessionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Session"][];
        };
        SessionsRevoked: {
            /** @constant */
            object: "session";
            /** @constant */
            sessions_revoked: true;
        };
        ShareDns: {
            /** @description Default `7`. */
            expires_in_days?: number;
        };
        ShareLink: {
            id: string;
            /** @constant */
            object: "share_link";
            target: components["schemas"]["ShareTarget"];
            target_id: string;
            include_content: boolean;
            sub_tenant_id: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ShareLinkCreated: {
            id: string;
            /** @constant */
            object: "share_link";
            target: components["schemas"]["ShareTarget"];
            target_id: string;
            include_content: boolean;
            sub_tenant_id: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: uri
             * @description The link to the page. Shown in this answer only.
             */
            url: string;
        };
        ShareLinkDeleted: {
            id: string;
            /** @constant */
            object: "share_link";
            /** @constant */
            deleted: true;
        };
        ShareLinkList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ShareLink"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ShareMessage: {
            /** @description Default `7`. */
            expires_in_days?: number;
            /** @description Show subject and text, too. Attachments are never shown. Default `false`. */
            include_content?: boolean;
        };
        /** @enum {string} */
        ShareTarget: "message" | "sub_tenant" | "sender";
        SignIn: {
            email: string;
            password: string;
            /** @description The code of the authenticator app. */
            totp?: string;
            /** @description One of the recovery codes. */
            recovery_code?: string;
        };
        SignedIn: {
            /** @constant */
            object: "sign_in";
            session: components["schemas"]["Session"];
            user: components["schemas"]["User"];
            organization: components["schemas"]["SignedInOrganization"];
            /** @description In that organization. */
            role: components["schemas"]["Role"];
            workspaces: components["schemas"]["SignedInWorkspace"][];
            /** @description For the header X-CSRF-Token of every request of the session that is not a GET. */
            csrf_token: string;
        };
        SignedInOrganization: {
            id: string;
            name: string;
        };
        SignedInWorkspace: {
            /** @description For the header X-Workspace-Id. */
            id: string;
            name: string;
            organization_id: string;
            role: components["schemas"]["Role"];
        };
        SignedOut: {
            /** @constant */
            object: "sign_in";
            /** @constant */
            signed_out: true;
        };
        SimulateRequest: {
            /** @description The outcome of the message, or the action of its recipient. */
            event: components["schemas"]["SimulatedOutcome"];
        };
        /** @enum {string} */
        SimulatedOutcome: "delivered" | "bounced" | "soft_bounced" | "complained" | "opened" | "clicked" | "replied" | "unsubscribed";
        Smarthost: {
            host: string;
            port: number;
            tls: components["schemas"]["SmarthostTls"];
        };
        /** @enum {string} */
        SmarthostTls: "opportunistic" | "required" | "implicit";
        /** @description A local address or a smarthost that mail leaves by. */
        Source: {
            /** @constant */
            object: "source";
            name: string;
            /** @description `mta`: mail goes to the mail hosts of recipients from here. */
            kind: components["schemas"]["SourceKind"];
            /** @description Null: the system chooses, unless there is an IPv6 address. */
            ipv4: string | null;
            ipv6: string | null;
            /** @description The name that its PTR record must contain. */
            ehlo_name: string | null;
            smarthost: components["schemas"]["Smarthost"] | null;
            pools: components["schemas"]["SourcePool"][];
            /** @description True: mail without a route of its own leaves by it. */
            default: boolean;
            /** @description `closed`: no mail leaves by it. `suspected`: it may be blocked, and is used only where there is no other. `suspended`: the operator lets no mail leave by it. */
            state: components["schemas"]["SourceState"];
            closed: components["schemas"]["SourceClosed"] | null;
            suspended: components["schemas"]["SourceSuspended"] | null;
            warm_up: components["schemas"]["SourceWarmUp"] | null;
            limits_total: number;
            /** @description Active on its paths, the newest 50; `GET /v1/queue/overrides` has all. */
            limits: components["schemas"]["QueueOverride"][];
        };
        SourceClosed: {
            reason: string;
            /** @description What was observed, such as the error of the connection. */
            reply: string;
            /**
             * Format: date-time
             * @description When it is tried again.
             */
            until: string | null;
        };
        /** @enum {string} */
        SourceKind: "mta" | "smarthost";
        SourceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Source"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        SourcePool: {
            name: string;
            weight: number;
        };
        SourceResumeRequest: {
            /** @description Needed where a source and a smarthost have this name. */
            kind?: components["schemas"]["SourceKind"];
        };
        /** @enum {string} */
        SourceState: "open" | "suspected" | "closed" | "suspended";
        SourceSuspendRequest: {
            /** @description Shown to the operator only. */
            reason: string;
            /** @description When it resumes by itself. Default: it does not. */
            expires_at?: string;
            /** @description Needed where a source and a smarthost have this name. */
            kind?: components["schemas"]["SourceKind"];
        };
        SourceSuspended: {
            reason: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description Null: until it is resumed.
             */
            until: string | null;
        };
        SourceWarmUp: {
            /** Format: date */
            started_on: string;
            /** @description Number of days with mail after which a destination has no limit any more. */
            plan_days: number;
            /** @description To all destinations. */
            sent_today: number;
            destinations_total: number;
            /** @description The 50 destinations with the most mail today. */
            destinations: components["schemas"]["SourceWarmUpDestination"][];
        };
        SourceWarmUpDestination: {
            /** @description A provider, or the mail hosts of a site. */
            destination: string;
            /** @description Days of the plan that are done. */
            stage: number;
            /** @description Of this UTC day; null: it is warmed up. */
            limit_today: number | null;
            sent_today: number;
            deferred_today: number;
            complained_today: number;
            /** @description Tomorrow has the same limit, for what was answered today. */
            held: boolean;
        };
        /** @enum {string} */
        SplitMetric: "opened" | "clicked";
        SubTenant: {
            id: string;
            /** @constant */
            object: "sub_tenant";
            name: string;
            external_id: string | null;
            sending_domain: string;
            /** @description Used once its MX record points here; until then the name of the service is used. */
            return_path_domain: string;
            /** @description Likewise. */
            inbound_domain: string;
            /** @description Likewise, once its CNAME does and links under it can be followed. */
            tracking_domain: string;
            status: components["schemas"]["SubTenantStatus"];
            /** @description Most live messages in any hour, spread evenly; further ones wait in their order. Null: no limit. */
            throttle_per_hour: number | null;
            reputation: components["schemas"]["Reputation"];
            dns: components["schemas"]["DnsDrift"];
            dkim: components["schemas"]["SubTenantDkim"] | null;
            dns_records: components["schemas"]["DnsRecord"][];
            branding: components["schemas"]["Branding"];
            /** Format: date-time */
            verified_at: string | null;
            /** Format: date-time */
            last_checked_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SubTenantAudit: {
            sub_tenant_id: string;
            status: components["schemas"]["SubTenantStatus"];
            /** @description In time order; the last 1,000 entries. */
            trail: components["schemas"]["SubTenantAuditEntry"][];
        };
        SubTenantAuditEntry: {
            event: components["schemas"]["TenantTrailEvent"];
            actor: components["schemas"]["Actor"];
            /** Format: date-time */
            timestamp: string;
            metadata: {
                [key: string]: unknown;
            };
        };
        SubTenantAuthentication: {
            /** @constant */
            object: "sub_tenant_authentication";
            sub_tenant_id: string;
            sending_domain: string;
            status: components["schemas"]["SubTenantStatus"];
            dns: components["schemas"]["DnsDrift"];
            keys: components["schemas"]["DkimKey"][];
            records: components["schemas"]["DnsRecordAdvice"][];
            /** Format: date-time */
            last_checked_at: string | null;
        };
        SubTenantCreate: {
            name: string;
            /** @description The domain of its From addresses. It cannot be changed later. */
            sending_domain: string;
            /** @description Your own id of this customer. */
            external_id?: string | null;
            /** @description The domain for bounces, in the envelope of its mail. Below the registered domain of the sending domain; null: `bounce.` below the sending domain. */
            return_path_domain?: string | null;
            /** @description The domain for replies to its mail. Below the registered domain of the sending domain; null: `reply.` below the sending domain. */
            inbound_domain?: string | null;
            /** @description The domain of the tracked links in its mail. Below the registered domain of the sending domain; null: `click.` below the sending domain. */
            tracking_domain?: string | null;
            /**
             * @description How its DKIM keys come into DNS: `txt`, each key is published by hand; `cname`, aliases are published once and keys change without you. `cname` needs the service to have a zone, and is the default where it has one. Not for a domain below that zone: there is nothing to publish.
             * @enum {string}
             */
            dkim?: "txt" | "cname";
        };
        SubTenantDeleted: {
            id: string;
            /** @constant */
            object: "sub_tenant";
            /** @constant */
            deleted: true;
        };
        SubTenantDkim: {
            /** @description Of the key that signs, or is to be the first that does. */
            selector: string;
            algorithm: string;
            /** @description How its keys come into DNS. `txt`: it publishes the record of each; `cname`: it publishes aliases once; `zone`: this service answers for its domain. */
            mode: components["schemas"]["DkimMode"];
            rotation: components["schemas"]["DkimRotation"] | null;
        };
        SubTenantList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["SubTenant"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        SubTenantOrder: "created_at" | "-created_at" | "-complaint_rate" | "-bounce_rate";
        SubTenantReputation: {
            /** @constant */
            object: "sub_tenant_reputation";
            sub_tenant_id: string;
            /** @description `warned` and `throttled` end by themselves when the rate falls; `paused`, by a rate, when somebody resumes it. */
            state: components["schemas"]["ReputationState"];
            /** @description Complaints of delivered messages, a share of 1; null when nothing was delivered. */
            complaint_rate: number | null;
            /** @description Bounces of sent messages, a share of 1; null when nothing was sent. */
            bounce_rate: number | null;
            sent: number;
            delivered: number;
            bounced: number;
            complained: number;
            /** @description Trailing days that the figures are of, by the time of the events. */
            window_days: number;
            /**
             * Format: date-time
             * @description When a sweep last saw other figures than before.
             */
            scored_at: string | null;
            /** Format: date-time */
            changed_at: string | null;
            paused: components["schemas"]["ReputationPause"] | null;
            /** @description Messages that it may send in any hour now; null: no limit. */
            throttle_per_hour: number | null;
            levels: components["schemas"]["ReputationLevels"];
            /** @description One row for each day (UTC), oldest first, today last. */
            days: components["schemas"]["ReputationDay"][];
            /** @description Changes of the state, in time order, within those days. */
            changes: components["schemas"]["ReputationChange"][];
        };
        /** @enum {string} */
        SubTenantStatus: "pending_verification" | "verified" | "failed" | "suspended" | "paused";
        SubTenantUpdate: {
            name?: string;
            /** @description Your own id of this customer. */
            external_id?: string | null;
            /** @description Most live messages in any hour, spread evenly; further ones wait in their order. Null: no limit. */
            throttle_per_hour?: number | null;
            /** @description The domain for bounces, in the envelope of its mail. Below the registered domain of the sending domain; null: `bounce.` below the sending domain. */
            return_path_domain?: string | null;
            /** @description The domain for replies to its mail. Below the registered domain of the sending domain; null: `reply.` below the sending domain. */
            inbound_domain?: string | null;
            /** @description The domain of the tracked links in its mail. Below the registered domain of the sending domain; null: `click.` below the sending domain. */
            tracking_domain?: string | null;
            branding?: components["schemas"]["BrandingUpdate"];
        };
        SubscribeRequest: {
            list_id: string;
            email: string;
            name?: string | null;
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            tags?: string[];
        };
        Subscription: {
            /** @constant */
            object: "subscription";
            list_id: string;
            contact_id: string;
            /** Format: email */
            email: string;
            /** @description `pending`: a mail asks for confirmation, on lists with double opt-in, and for contacts who have left the list. */
            status: components["schemas"]["ListMemberState"];
        };
        Suppression: {
            id: string;
            /** @constant */
            object: "suppression";
            /** Format: email */
            email: string;
            reason: components["schemas"]["SuppressionReason"];
            /** @description Null: it blocks every sub-tenant. */
            sub_tenant_id: string | null;
            /** @description The message that caused it. */
            message_id: string | null;
            reply: components["schemas"]["SuppressionReply"] | null;
            /** Format: date-time */
            created_at: string;
        };
        SuppressionCheck: {
            /** Format: email */
            email: string;
            suppressed: boolean;
            reason: components["schemas"]["SuppressionReason"] | null;
            scope: components["schemas"]["SuppressionScope"] | null;
        };
        SuppressionCreate: {
            email: string;
            /** @description Default `"manual"`. */
            reason?: components["schemas"]["SuppressionReason"];
            sub_tenant_id?: string | null;
            reply?: components["schemas"]["SuppressionReply"] | null;
        };
        SuppressionDeleted: {
            id: string;
            /** @constant */
            object: "suppression";
            /** @constant */
            deleted: true;
        };
        SuppressionExportCreate: {
            /** @constant */
            kind: "suppressions";
            /** @description Default `"csv"`. */
            format?: components["schemas"]["TransferFormat"];
            sub_tenant_id?: string | null;
            /** @description Any of these. */
            reason?: components["schemas"]["SuppressionReason"][];
            /** @description Part of the address. */
            q?: string;
            /** @description A date, or ISO 8601 with an offset; inclusive. */
            created_after?: string;
            /** @description A date, or ISO 8601 with an offset; exclusive. */
            created_before?: string;
        };
        SuppressionImport: {
            /** @constant */
            object: "suppression_import";
            /** @description Entries that were read; blank lines are none. */
            total: number;
            created: number;
            /** @description Entries that existed already, or were in the body twice. They are unchanged. */
            existing: number;
            failed: number;
            /** @description The first 100 of those that failed. */
            errors: components["schemas"]["SuppressionImportError"][];
        };
        SuppressionImportError: {
            /** @description From 1. In a JSON array the number of the item. */
            line: number;
            /** @description The text in the place of the address, if any. */
            email: string | null;
            message: string;
        };
        SuppressionImportItem: {
            email: string;
            /** @description Default `"manual"`. */
            reason?: components["schemas"]["SuppressionReason"] | null;
            sub_tenant_id?: string | null;
        };
        SuppressionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Suppression"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        SuppressionReason: "bounce" | "complaint" | "unsubscribe" | "manual";
        /** @description The reply of the recipient's server for which the address was suppressed. */
        SuppressionReply: {
            /** @description The SMTP reply code. */
            code?: number | null;
            /** @description RFC 3463, such as 5.1.1. */
            enhanced_code?: string | null;
            message?: string | null;
        };
        /** @enum {string} */
        SuppressionScope: "workspace" | "sub_tenant";
        System: {
            /** @constant */
            object: "system";
            version: string;
            /** Format: uri */
            public_url: string;
            /** @description Name of the appliance in SMTP. */
            hostname: string;
            /** @description Settings to set before DNS records and links can name this server: their values have no public host name. */
            missing_settings: ("MAILKEEL_HOSTNAME" | "MAILKEEL_PUBLIC_URL")[];
            relay: components["schemas"]["SystemRelay"] | null;
            limits: components["schemas"]["SystemLimits"];
            plan: components["schemas"]["SystemPlan"] | null;
            /** @description For the operator only; null for others. */
            ports: components["schemas"]["SystemPort"][] | null;
            release: components["schemas"]["SystemRelease"] | null;
        };
        SystemLimits: {
            /** @description Of the environment of the key; null: no limit. */
            requests_per_minute: number | null;
            message_body_bytes: number;
            body_bytes: number;
            import_body_bytes: number;
            /** @description Of a composed message. */
            message_bytes: number;
            attachments: number;
            /** @description To, cc and bcc of one request together. */
            recipients: number;
            /** @description Messages of one batch. */
            batch: number;
        };
        SystemPlan: {
            name: string;
            /** @description Null: no limit. */
            daily_sends: number | null;
            /** @description Null: no limit. */
            monthly_sends: number | null;
        };
        SystemPort: {
            name: components["schemas"]["SystemPortName"];
            /** @description The address that the server listens on; null for none. */
            host: string | null;
            port: number | null;
            /** @description Why it differs from the settings, or there is none. */
            note: string | null;
        };
        /** @enum {string} */
        SystemPortName: "api" | "api_tls" | "inbound" | "relay" | "relay_tls" | "name_server" | "metrics";
        SystemRelay: {
            /** @description The name that is on its certificate. */
            host: string;
            /** @description The port with STARTTLS; null when there is no relay. */
            port: number | null;
            /** @description The port with TLS from the start; null when there is no relay. */
            tls_port: number | null;
        };
        SystemRelease: {
            /** @description The newest of CHANGELOG.md. */
            heading: string;
            sections: components["schemas"]["SystemReleaseSection"][];
        };
        SystemReleaseSection: {
            title: string;
            items: string[];
        };
        Template: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "template";
            name: string;
            slug: string;
            /** @description For which messages; `any` for all. */
            type: components["schemas"]["TemplateType"];
            subject: string | null;
            html: string | null;
            text: string | null;
            inline_css: boolean;
            /** @description The editor's source of the html, such as its blocks; stored with the version and not interpreted. At most 262,144 characters of JSON. A change of html without it takes it away. */
            design: {
                [key: string]: unknown;
            } | null;
            version: number;
            /** @description The names that the placeholders read. */
            variables: string[];
            /** @description Test keys use live templates too, and change only those of test. */
            environment: components["schemas"]["Environment"];
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TemplateCopy: {
            /** @description Where the copy is made; `live` takes a live key or a session. */
            environment: components["schemas"]["Environment"];
        };
        TemplateCreate: {
            name: string;
            /** @description Lower-case letters, digits, - and _; at most 100. */
            slug?: string;
            /** @description For which messages; `any` for all. */
            type?: components["schemas"]["TemplateType"];
            subject?: string | null;
            /** @description Values are escaped here, and only here. At most 262,144 characters; files belong into attachments, and pictures onto a server. */
            html?: string | null;
            /** @description Derived from the html when missing. At most 262,144 characters; files belong into attachments, and pictures onto a server. */
            text?: string | null;
            /** @description Copies the rules of the filled html's style elements into style attributes; default false. Part of a version. */
            inline_css?: boolean;
            /** @description The editor's source of the html, such as its blocks; stored with the version and not interpreted. At most 262,144 characters of JSON. A change of html without it takes it away. */
            design?: {
                [key: string]: unknown;
            } | null;
            sub_tenant_id?: string | null;
        };
        TemplateDeleted: {
            id: string;
            /** @constant */
            object: "template";
            /** @constant */
            deleted: true;
        };
        TemplateDiff: {
            /** @constant */
            object: "template_diff";
            template_id: string;
            from: number;
            to: number;
            parts: components["schemas"]["TemplateDiffParts"];
        };
        TemplateDiffParts: {
            subject: components["schemas"]["TemplatePartDiff"];
            html: components["schemas"]["TemplatePartDiff"];
            text: components["schemas"]["TemplatePartDiff"];
            inline_css: components["schemas"]["TemplatePartDiff"];
        };
        TemplateList: {
            /** @constant */
            object: "list";
            data: (components["schemas"]["Template"] | components["schemas"]["TemplateSummary"])[];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        TemplatePartDiff: {
            /** @description Unified, with three lines of context; empty when nothing changed. */
            diff: string;
            /** @description Lines. */
            added: number;
            /** @description Lines. */
            removed: number;
        };
        TemplateRender: {
            /** @description The current one when missing. */
            version?: number;
            /** @description With the footer that campaign copies get: postal address and unsubscribe link. */
            footer?: boolean;
            variables?: {
                [key: string]: unknown;
            };
            /** @description Id or address of a saved contact whose fields merge in. */
            contact?: string;
        };
        TemplateRestore: {
            /** @description The version whose content the new one gets; the one before the current when missing. */
            version?: number;
        };
        TemplateSummary: {
            id: string;
            name: string;
            slug: string;
            /** @description For which messages; `any` for all. */
            type: components["schemas"]["TemplateType"];
            subject: string | null;
            version: number;
            /** @description Test keys use live templates too, and change only those of test. */
            environment: components["schemas"]["Environment"];
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "template_summary";
        };
        TemplateTest: {
            to: string[];
            /** @description The current one when missing. */
            version?: number;
            variables?: {
                [key: string]: unknown;
            };
            /** @description Id or address of a saved contact whose fields merge in. */
            contact?: string;
            /** @description A verified sender; the default one when missing. */
            from?: string;
        };
        TemplateTestMessage: {
            id: string;
            to: string;
            status: string;
        };
        TemplateTestResult: {
            /** @constant */
            object: "template_test";
            template_id: string;
            version: number;
            /** @description Names whose placeholders show nothing. */
            missing: string[];
            messages: components["schemas"]["TemplateTestMessage"][];
        };
        /** @enum {string} */
        TemplateType: "transactional" | "marketing" | "sales" | "any";
        TemplateUpdate: {
            name?: string;
            /** @description Lower-case letters, digits, - and _; at most 100. */
            slug?: string;
            /** @description For which messages; `any` for all. */
            type?: components["schemas"]["TemplateType"];
            subject?: string | null;
            /** @description Values are escaped here, and only here. At most 262,144 characters; files belong into attachments, and pictures onto a server. */
            html?: string | null;
            /** @description Derived from the html when missing. At most 262,144 characters; files belong into attachments, and pictures onto a server. */
            text?: string | null;
            /** @description Copies the rules of the filled html's style elements into style attributes; default false. Part of a version. */
            inline_css?: boolean;
            /** @description The editor's source of the html, such as its blocks; stored with the version and not interpreted. At most 262,144 characters of JSON. A change of html without it takes it away. */
            design?: {
                [key: string]: unknown;
            } | null;
        };
        TemplateVersion: {
            /** @constant */
            object: "template_version";
            template_id: string;
            version: number;
            subject: string | null;
            html: string | null;
            text: string | null;
            inline_css: boolean;
            /** @description The editor's source of the html, such as its blocks; stored with the version and not interpreted. At most 262,144 characters of JSON. A change of html without it takes it away. */
            design: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        TemplateVersionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["TemplateVersion"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        TenantTrailEvent: "tenant_warned" | "tenant_throttled" | "tenant_paused" | "tenant_recovered" | "tenant_dns_drifted" | "tenant_dns_suspended" | "tenant_dns_recovered" | "dkim_rotation_started" | "dkim_rotation_completed";
        Thread: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "thread";
            /** @description Of the message that began it. */
            subject: string;
            status: components["schemas"]["ThreadStatus"];
            correspondent: components["schemas"]["Mailbox"];
            sub_tenant_id: string | null;
            /** @description Of both directions; a message to several recipients counts once for each. */
            messages: number;
            /** Format: date-time */
            last_message_at: string;
            /** @description The side that wrote last. */
            last_direction: components["schemas"]["Direction"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ThreadInFull: {
            id: string;
            /** @constant */
            object: "thread";
            /** @description Of the message that began it. */
            subject: string;
            status: components["schemas"]["ThreadStatus"];
            correspondent: components["schemas"]["Mailbox"];
            sub_tenant_id: string | null;
            /** @description Of both directions; a message to several recipients counts once for each. */
            messages: number;
            /** Format: date-time */
            last_message_at: string;
            /** @description The side that wrote last. */
            last_direction: components["schemas"]["Direction"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The last 25 messages, oldest first; received ones with `received`. Fewer where their texts are very long. The rest: GET /v1/messages?thread_id= */
            recent: components["schemas"]["Message"][];
        };
        ThreadList: {
            /** @constant */
            object: "list";
            data: (components["schemas"]["Thread"] | components["schemas"]["ThreadSummary"])[];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description A transactional message that answers in the thread. */
        ThreadReply: {
            /** @description One or a list. Each is sent a message of its own. */
            cc?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description One or a list. Like cc, and not shown to anyone. */
            bcc?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description Inline body; omit it with a template. */
            html?: string;
            /** @description Inline body; omit it with a template. */
            text?: string;
            /** @description A template's slug. */
            template?: string;
            /** @description A template's id. */
            template_id?: string;
            /** @description Merged into the template or the inline content; they win over the fields of the saved contact. Inline content is filled if variables are given (an empty object will do), if the recipient is a saved contact, or if the type is marketing or sales; otherwise it is sent as it is. With several recipients everybody gets the one mail, filled from the contact of the first `to`. */
            variables?: {
                [key: string]: unknown;
            };
            /** @description Address for replies: one or a list. You must be allowed to use each. */
            reply_to?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description Default `"normal"`. */
            priority?: components["schemas"]["MessagePriority"];
            /** @description ISO 8601 with an offset, at most a year ahead: sent then and not now. */
            send_at?: string;
            /** @description ISO 8601 with an offset, later than now and than send_at: trying to deliver ends then, when that is before the end of the queue lifetime. For codes and other mail that is worthless when it is late. */
            expires_at?: string;
            /** @description Placeholders in inline html, text and subject are filled as `variables` says. False: the content goes out as it stands. Default `true`. */
            render?: boolean;
            /** @description True: if the template or inline content shows a variable that has no value, the message is refused with `validation_error`, which names each. A variable that is given as an empty text has a value. Default `false`. */
            require_variables?: boolean;
            /** @description True: only to servers with verified TLS that promise the same onwards (REQUIRETLS, RFC 8689); otherwise the message bounces. Default `false`. */
            require_tls?: boolean;
            /** @description Or the header Idempotency-Key. */
            idempotency_key?: string;
            tags?: string[];
            /** @description Free data of yours, at most 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            attachments?: components["schemas"]["AttachmentInput"][];
            /** @description Further header fields. Fields that the service or mail systems write are refused: From, To, Date, Received, DKIM-Signature, Content-*, and the like. List-Unsubscribe (https and mailto URIs), List-Unsubscribe-Post and Message-ID are taken for transactional mail without a topic; in other mail the service writes them. */
            headers?: {
                [key: string]: string;
            };
            /** @description True writes `Auto-Submitted: auto-generated` (RFC 3834): vacation responders do not answer the message, and some help desks suspend it. The default is true for marketing and sales mail and false for transactional mail. `headers` may name another value instead. */
            auto_submitted?: boolean;
            /** @description The id of a list, `lst_…`, that stands for the purpose of the message: whoever has unsubscribed from that list is not sent it, and its unsubscribe link leaves that list alone. The list belongs to the sender: to the sub-tenant, or to the workspace. Nobody has to be on it. */
            topic?: string;
            /** @description Only html can be tracked. */
            track_opens?: boolean;
            /** @description Only html can be tracked. */
            track_clicks?: boolean;
            /** @description Default: the correspondent; their Reply-To where DMARC proved that they wrote it themselves. */
            to?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description Default: the From of your last message of the thread; else the address that they wrote to, if it may still be used; else the default sender. */
            from?: components["schemas"]["MailboxInput"];
            /** @description `Re:` and the thread's subject when it is not given, with a template too. */
            subject?: string;
        };
        /** @enum {string} */
        ThreadStatus: "open" | "closed";
        ThreadSummary: {
            id: string;
            /** @description Of the message that began it. */
            subject: string;
            status: components["schemas"]["ThreadStatus"];
            correspondent: components["schemas"]["Mailbox"];
            sub_tenant_id: string | null;
            /** Format: date-time */
            last_message_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "thread_summary";
        };
        ThreadUpdate: {
            /** @description The same again changes nothing. */
            status: components["schemas"]["ThreadStatus"];
        };
        /** @enum {string} */
        TlsGroup: "result" | "reporter" | "day" | "domain" | "mx_host";
        TlsRecord: {
            policy_domain: string;
            /** @description tlsa, sts or no-policy-found. */
            policy_type: string;
            /** @description `success`, or the type of the failure (RFC 8460 section 4.3). */
            result_type: string;
            mx_host: string;
            sending_ip: string;
            sessions: number;
        };
        TlsReport: {
            /** @constant */
            object: "tls_report";
            id: string;
            sub_tenant_id: string | null;
            domain: string;
            org_name: string;
            /** @description Domain of the mail; proven if `authenticated`. */
            reporter: string;
            report_id: string;
            /** @description Whether the mail proves its sender. Summaries leave others out. */
            authenticated: boolean;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            /** Format: date-time */
            created_at: string;
            sessions: number;
            failures: number;
            records_left_out: number;
            records?: components["schemas"]["TlsRecord"][];
        };
        TlsReportList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["TlsReport"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        TlsSummary: {
            /** @constant */
            object: "tls_summary";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            sessions: number;
            failures: number;
            groups: {
                key: string;
                sessions: number;
                failures: number;
            }[];
            has_more_groups: boolean;
            sentences: string[];
        };
        TotpBegin: {
            password: string;
        };
        TotpBegun: {
            /** @constant */
            object: "totp";
            /** @description Base32, for typing it into the app. */
            secret: string;
            /**
             * Format: uri
             * @description `otpauth://…`, for a QR code.
             */
            uri: string;
        };
        TotpConfirm: {
            /** @description The code of the authenticator app. */
            code: string;
        };
        TotpDisable: {
            password: string;
            /** @description The code of the authenticator app. */
            code?: string;
            /** @description One of the recovery codes. */
            recovery_code?: string;
        };
        TracedAttempt: {
            position: number;
            /** Format: date-time */
            at: string;
            message_id: string;
            /** @description Only with `addresses`. */
            email: string | null;
            /** @description `live` or `test`. */
            mode: string;
            /** @description Of the attempt, from 1. */
            number: number;
            /** @description `ambiguous`: the whole message was written, and no reply came. `delivered` by a smarthost means that the smarthost accepted it. */
            outcome: components["schemas"]["AttemptOutcome"];
            /** @description The reply of the peer, or the network error. */
            reply: string;
            /** @description The name of the sending address, or of the smarthost. */
            source: string;
            host: string | null;
            address: string | null;
            tls: components["schemas"]["AttemptTls"] | null;
            /** @description Milliseconds by phase. */
            times: {
                [key: string]: number;
            } | null;
            /** @description Null where the session began before. */
            opening: string[] | null;
            conversation: string[];
        };
        /** @enum {string} */
        TransferFormat: "csv" | "ndjson" | "json";
        /** @enum {string} */
        TransferStatus: "queued" | "running" | "completed" | "failed" | "canceled";
        /** @enum {string} */
        UnsubscribeBlocks: "all" | "marketing";
        /** @description Live messages of the organization, all its workspaces together, each counted once when it is accepted and given back when it never left. Days and months are UTC. The sandbox is not counted. */
        Usage: {
            /** @constant */
            object: "usage";
            plan: string;
            day: components["schemas"]["UsagePeriod"];
            month: components["schemas"]["UsagePeriod"];
        };
        UsageOfType: {
            type: components["schemas"]["MessageType"];
            used: number;
            limit: number | null;
            /** @description Null without a limit. */
            remaining: number | null;
        };
        UsagePeriod: {
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            resets_at: string;
            used: number;
            limit: number | null;
            /** @description Null without a limit. */
            remaining: number | null;
            /** @description The sends of this workspace. */
            workspace_used: number;
            /** @description A type may have its own limit, within the limit of all. */
            types: components["schemas"]["UsageOfType"][];
        };
        User: {
            id: string;
            /** @constant */
            object: "user";
            /** Format: email */
            email: string;
            name: string | null;
            /** @description Whether a code of an authenticator app is asked for. */
            totp: boolean;
            recovery_codes_left: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UserUpdate: {
            name: string | null;
        };
        WebhookAttempt: {
            number: number;
            /** Format: date-time */
            at: string;
            duration_ms: number;
            /**
             * Format: uri
             * @description The URL of the attempt.
             */
            url: string | null;
            /** @description The headers as they were sent, with the signature. */
            request_headers: {
                [key: string]: string;
            } | null;
            /** @description In a format with the signature in the body: what was sent. Null: that of the delivery. */
            request_body: string | null;
            response_status: number | null;
            /** @description The first 50 of them, 4,096 characters of all. */
            response_headers: {
                [key: string]: string;
            } | null;
            /** @description Its first 1,024 bytes. */
            response_body: string | null;
            /** @description Why there was no answer, or why it counts as failed. */
            error: string | null;
        };
        WebhookDelivery: {
            /** @description Also the header Service-Delivery of every attempt. */
            id: string;
            /** @constant */
            object: "webhook_delivery";
            endpoint_id: string;
            event: components["schemas"]["WebhookEventName"];
            /** @description In GET /v1/events; null for a test. */
            event_id: string | null;
            status: components["schemas"]["WebhookDeliveryStatus"];
            /** @description The delivery that this one repeats. */
            replay_of: string | null;
            attempts: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            next_attempt_at: string | null;
            payload: {
                event: components["schemas"]["WebhookEventName"];
                /** Format: date-time */
                occurred_at: string;
                data: {
                    /** @description Of the record that the event is about: a message, or as the name of the event says. */
                    id: string;
                    event: components["schemas"]["WebhookEventName"];
                    /** Format: date-time */
                    occurred_at: string;
                    /** @description Only for endpoints with full payloads: the record that data.id names, when the delivery was made. Null when there is none, as in a test. */
                    object?: components["schemas"]["Message"] | components["schemas"]["SubTenant"] | components["schemas"]["Suppression"] | components["schemas"]["Contact"] | components["schemas"]["Sender"] | components["schemas"]["Campaign"] | components["schemas"]["Import"] | components["schemas"]["Export"] | components["schemas"]["BulkAction"] | null;
                    /** @description Only in this log: the body that is sent has no such field (`request_body`). */
                    sandbox: boolean;
                };
            };
            /** @description The body of every attempt, octet for octet, as it was signed; of the last attempt, where each has its own. */
            request_body: string;
            /** Format: date-time */
            created_at: string;
        };
        WebhookDeliveryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        WebhookDeliveryResult: "succeeded" | "failed";
        /** @enum {string} */
        WebhookDeliveryStatus: "pending" | "succeeded" | "failed";
        WebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            /** Format: uri */
            url: string;
            events: components["schemas"]["WebhookEventName"][];
            description: string | null;
            format: components["schemas"]["WebhookFormat"];
            payload: components["schemas"]["WebhookPayload"];
            /** @description Verifies the deliveries, in base64 (SPKI, DER); null in formats that are verified with the secret. It changes with the secret. */
            public_key: string | null;
            /** @description Set: only events of this sub-tenant are sent. */
            sub_tenant_id: string | null;
            status: components["schemas"]["WebhookEndpointStatus"];
            disabled_reason: string | null;
            /** @description Failed deliveries since the last that succeeded. */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description Until then the former secret signs too; null when only one signs.
             */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookEndpointCreate: {
            /** @description http(s), leading to a public address. A user name and a password in it are sent as Basic authentication; answers show `***` in their place, which keeps them when it is sent back. */
            url: string;
            /**
             * @description Names of events; null for those of messages and sub-tenants but message.deferred and message.unsubscribed. These two, and the events of other records, must be named.
             * @example [
             *       "message.delivered",
             *       "message.bounced"
             *     ]
             */
            events?: components["schemas"]["WebhookEventName"][] | null;
            description?: string | null;
            /** @description `standard` adds the headers of Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature), which their libraries verify. The names of vendors stand for bodies, names of events and signatures as those vendors have them; such a format tells only of events that it has a form for. Service-Signature is always there. Default `"service"`. */
            format?: components["schemas"]["WebhookFormat"];
            /** @description `full` adds `data.object`: the record as its GET shows it, when the delivery was made. In the formats of vendors it says nothing. Default `"thin"`. */
            payload?: components["schemas"]["WebhookPayload"];
            sub_tenant_id?: string | null;
        };
        WebhookEndpointCreated: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            /** Format: uri */
            url: string;
            events: components["schemas"]["WebhookEventName"][];
            description: string | null;
            format: components["schemas"]["WebhookFormat"];
            payload: components["schemas"]["WebhookPayload"];
            /** @description Verifies the deliveries, in base64 (SPKI, DER); null in formats that are verified with the secret. It changes with the secret. */
            public_key: string | null;
            /** @description Set: only events of this sub-tenant are sent. */
            sub_tenant_id: string | null;
            status: components["schemas"]["WebhookEndpointStatus"];
            disabled_reason: string | null;
            /** @description Failed deliveries since the last that succeeded. */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description Until then the former secret signs too; null when only one signs.
             */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Signs every delivery. Shown in this answer only. */
            secret: string;
        };
        WebhookEndpointDeleted: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            /** @constant */
            deleted: true;
        };
        WebhookEndpointList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        WebhookEndpointStatus: "enabled" | "disabled";
        WebhookEndpointUpdate: {
            /** @description http(s), leading to a public address. A user name and a password in it are sent as Basic authentication; answers show `***` in their place, which keeps them when it is sent back. */
            url?: string;
            /**
             * @description Names of events; null for those of messages and sub-tenants but message.deferred and message.unsubscribed. These two, and the events of other records, must be named.
             * @example [
             *       "message.delivered",
             *       "message.bounced"
             *     ]
             */
            events?: components["schemas"]["WebhookEventName"][] | null;
            description?: string | null;
            /** @description `standard` adds the headers of Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature), which their libraries verify. The names of vendors stand for bodies, names of events and signatures as those vendors have them; such a format tells only of events that it has a form for. Service-Signature is always there. */
            format?: components["schemas"]["WebhookFormat"];
            /** @description `full` adds `data.object`: the record as its GET shows it, when the delivery was made. In the formats of vendors it says nothing. */
            payload?: components["schemas"]["WebhookPayload"];
            /** @description `enabled` also starts the count of failures anew. */
            status?: components["schemas"]["WebhookEndpointStatus"];
        };
        WebhookEvent: {
            event: components["schemas"]["WebhookEventName"];
            /** Format: date-time */
            occurred_at: string;
            data: components["schemas"]["WebhookEventData"];
        };
        WebhookEventData: {
            /** @description Of the record that the event is about: a message, or as the name of the event says. */
            id: string;
            event: components["schemas"]["WebhookEventName"];
            /** Format: date-time */
            occurred_at: string;
            /** @description Only for endpoints with full payloads: the record that data.id names, when the delivery was made. Null when there is none, as in a test. */
            object?: components["schemas"]["Message"] | components["schemas"]["SubTenant"] | components["schemas"]["Suppression"] | components["schemas"]["Contact"] | components["schemas"]["Sender"] | components["schemas"]["Campaign"] | components["schemas"]["Import"] | components["schemas"]["Export"] | components["schemas"]["BulkAction"] | null;
        };
        /** @enum {string} */
        WebhookEventName: "message.sent" | "message.delivered" | "message.opened" | "message.clicked" | "message.bounced" | "message.complained" | "message.failed" | "message.suppressed" | "message.received" | "recipient.suppressed" | "tenant.warned" | "tenant.throttled" | "tenant.paused" | "tenant.recovered" | "tenant.dns_drifted" | "tenant.dns_suspended" | "tenant.dns_recovered" | "tenant.dkim_rotation_started" | "tenant.dkim_rotation_completed" | "message.deferred" | "message.unsubscribed" | "suppression.created" | "suppression.deleted" | "contact.created" | "contact.updated" | "contact.unsubscribed" | "contact.deleted" | "contact.erased" | "domain.verified" | "domain.failed" | "domain.drifted" | "domain.suspended" | "domain.recovered" | "campaign.scheduled" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.sent" | "campaign.canceled" | "import.completed" | "import.failed" | "import.canceled" | "export.completed" | "export.failed" | "export.canceled" | "bulk_action.completed" | "bulk_action.failed" | "bulk_action.canceled";
        /** @enum {string} */
        WebhookFormat: "service" | "standard" | "resend" | "postmark" | "sendgrid" | "mailgun";
        /** @enum {string} */
        WebhookPayload: "thin" | "full";
        WebhookReplay: {
            id: string;
            /** @constant */
            object: "webhook_replay";
            endpoint_id: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            status: components["schemas"]["WebhookDeliveryResult"] | null;
            state: components["schemas"]["WebhookReplayState"];
            /** @description Made by it so far. */
            deliveries: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        WebhookReplayCreate: {
            /** @description Events that happened at this time or later; ISO 8601 with an offset, or a date. */
            since: string;
            /** @description Events before this time; now when it is left out. */
            until?: string | null;
            /** @description Only events whose last delivery to the endpoint ended so. Without it all that the endpoint would get, those that it was never sent too. */
            status?: components["schemas"]["WebhookDeliveryResult"] | null;
        };
        WebhookReplayList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookReplay"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        WebhookReplayState: "running" | "finished";
        WebhookTest: {
            event?: components["schemas"]["WebhookEventName"];
        };
        Workspace: {
            id: string;
            /** @constant */
            object: "workspace";
            name: string;
            /** @description Days that messages are kept; 0: for ever; null: as the appliance is configured. */
            retention_days: number | null;
            /** @description Action at that time. `redact` deletes content and personal data; `delete` deletes all but the digests of the events; null: as the appliance is configured. */
            retention_mode: components["schemas"]["RetentionMode"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WorkspaceCreate: {
            name: string;
            /** @description Days that messages are kept; 0: for ever; null: as the appliance is configured. */
            retention_days?: number | null;
            /** @description Action at that time. `redact` deletes content and personal data; `delete` deletes all but the digests of the events; null: as the appliance is configured. */
            retention_mode?: components["schemas"]["RetentionMode"] | null;
            /** @description Make a first live and a first test key too. Default `false`. */
            api_keys?: boolean;
        };
        WorkspaceCreated: {
            id: string;
            /** @constant */
            object: "workspace";
            name: string;
            /** @description Days that messages are kept; 0: for ever; null: as the appliance is configured. */
            retention_days: number | null;
            /** @description Action at that time. `redact` deletes content and personal data; `delete` deletes all but the digests of the events; null: as the appliance is configured. */
            retention_mode: components["schemas"]["RetentionMode"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Its first live and test key with `api_keys: true`, else none. Their secrets are shown here only. */
            api_keys: components["schemas"]["ApiKeyCreated"][];
        };
        WorkspaceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Workspace"][];
            /** @description Whether there is another page. Where few of many match, a page may be shorter than `limit`, even empty, and have one. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        WorkspaceUpdate: {
            name?: string;
            /** @description Days that messages are kept; 0: for ever; null: as the appliance is configured. */
            retention_days?: number | null;
            /** @description Action at that time. `redact` deletes content and personal data; `delete` deletes all but the digests of the events; null: as the appliance is configured. */
            retention_mode?: components["schemas"]["RetentionMode"] | null;
        };
    };
    responses: {
        /** @description `quota_exceeded`: the plan has no sends left; `details` says until when. */
        QuotaExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Service-Version": components["headers"]["Service-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: unknown, or out of the reach of this key; the two look alike. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Service-Version": components["headers"]["Service-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `conflict`: the state of the object, or another object, does not allow it. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Service-Version": components["headers"]["Service-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `precondition_failed`: the object was changed after the version that If-Match names. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Service-Version": components["headers"]["Service-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `validation_error`: `details.fields` names each fault; unknown fields are refused too. */
        ValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Service-Version": components["headers"]["Service-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other refusal; `error.type` and `error.code` say why. Of every operation: 400, broken JSON, a cursor of another list, or headers that contradict the body; 401, the key is missing, unknown, revoked or expired, or the session has ended; 403, the key or the role lacks the permission, or the key may not be used from this address or for this operation; 413, the body is larger than the operation takes; 415, it is of a type that the operation does not read; 429, too many requests, and `Retry-After` says when to try again. */
        Refusal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Service-Version": components["headers"]["Service-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description 503 `unavailable`: nothing was kept; try again. Anything else is not your fault, and the request id finds it in the log. */
        Failure: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Service-Version": components["headers"]["Service-Version"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description A date, or ISO 8601 with an offset; inclusive. */
        CreatedAfterQuery: string;
        /** @description A date, or ISO 8601 with an offset; exclusive. */
        CreatedBeforeQuery: string;
        /** @description `next_cursor` of the page before. */
        CursorQuery: string;
        /** @description A recipient's domain. */
        DomainPath: string;
        /** @description A verified domain. */
        DomainQuery: string;
        /** @description The environment, as the header X-Environment; of a key only its own. */
        EnvironmentQuery: "live" | "test";
        IdPath: string;
        /** @description A repeated request with it is answered as the first one and changes nothing again. */
        IdempotencyKey: string;
        /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
        IfMatch: string;
        /** @description Most objects on the page. */
        LimitQuery: number;
        /** @description Newest first (`-created_at`) without it. */
        OrderQuery: components["schemas"]["ListOrder"];
        /** @description Part of the name. */
        QQuery: string;
        /** @description Counts from 1. */
        ServiceAttempt: string;
        /** @description The same for every attempt of a delivery. */
        ServiceDelivery: string;
        /** @description The name of the event. */
        ServiceEvent: string;
        /** @description Only on a replay: the delivery that this one repeats. */
        ServiceReplayOf: string;
        /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
        ServiceSignature: string;
        /** @description A date, or ISO 8601 with an offset; inclusive. */
        SinceQuery: string;
        /** @description Narrows the request to one sub-tenant. */
        SubTenantId: string;
        /** @description Only this sub-tenant's. */
        SubTenantIdQuery: string;
        TagQuery: string;
        /** @description A date, or ISO 8601 with an offset; exclusive. */
        UntilQuery: string;
        UserCodePath: string;
        /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
        WorkspaceIdQuery: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Yours or ours; finds the request in the log.
         * @example 01kdyak3se4w5amvgkazjzkvb7
         */
        "X-Request-Id": string;
        /**
         * @description The version of the object, for If-Match: its `updated_at` in quotes.
         * @example "2026-03-01T09:00:00.000Z"
         */
        ETag: string;
        /**
         * @description Requests that the workspace may make in a minute; on every answer to a key, unless there is no limit.
         * @example 600
         */
        "RateLimit-Limit": number;
        /**
         * @description Those of them that are left.
         * @example 599
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the minute is over.
         * @example 60
         */
        "RateLimit-Reset": number;
        /**
         * @description The same: what is left (`r`), and the seconds until the minute is over (`t`).
         * @example "default";r=599;t=60
         */
        RateLimit: string;
        /**
         * @description The same: requests (`q`) in a window of seconds (`w`).
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The version of the API that the request was answered in.
         * @example 2026-12-01
         */
        "Service-Version": string;
        /**
         * @description Seconds after which to try again.
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description `true` when an earlier request with the same idempotency key was answered so.
         * @example true
         */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "health.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "health.getReadiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["MessageStatus"][];
                /** @description A recipient's address. Given again: any of these. */
                to?: string[];
                /** @description A sender's address. Given again: any of these. */
                from?: string[];
                /** @description Part of the subject. */
                subject?: string;
                /** @description Several with commas between them: any of these. */
                type?: components["schemas"]["MessageType"][];
                /** @description A tag. Given again: any of these. */
                tag?: string[];
                /** @description `metadata[order]=4711`: a key of the first level and its value as text. All of several must hold. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description `summary`: small rows, without metadata, attachments, errors and what was asked for. Otherwise whole ones. */
                view?: components["schemas"]["ListView"];
                thread_id?: string;
                /** @description The copies of one campaign. */
                campaign_id?: string;
                /** @description The mail of one sequence. */
                sequence_id?: string;
                /** @description True: messages that may have arrived or not, since the connection or the program ended between the whole message and the answer. They are `sent`, and are not tried again by themselves. */
                in_doubt?: boolean;
                sub_tenant_id?: string;
                /** @description A key reaches one environment: the other value finds nothing. */
                sandbox?: boolean;
                /** @description Found in the recipient or the subject. */
                q?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": "Ann <ann@example.com>",
                 *       "from": {
                 *         "email": "news@customer.example",
                 *         "name": "Customer"
                 *       },
                 *       "subject": "Welcome",
                 *       "html": "<p>Good to have you here.</p>",
                 *       "tags": [
                 *         "welcome"
                 *       ],
                 *       "idempotency_key": "welcome-4711"
                 *     }
                 */
                "application/json": components["schemas"]["MessageCreate"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            402: components["responses"]["QuotaExceeded"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.resend": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            402: components["responses"]["QuotaExceeded"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.createBatch": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messages": [
                 *         {
                 *           "to": "ann@example.com",
                 *           "template": "welcome",
                 *           "idempotency_key": "welcome-4711"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MessageBatchCreate"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageBatch"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "send_at": "2026-03-01T10:00:00+01:00"
                 *     }
                 */
                "application/json": components["schemas"]["MessageUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.getContent": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageContent"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.getAudit": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAudit"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.getRaw": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.getAttachment": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.listAttempts": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.explain": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.retry": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.getProof": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proof"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "proofs.verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bundle": {
                 *         "message_id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "content_hash": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *         "subject": "Welcome",
                 *         "to": "ann@example.com",
                 *         "from": "news@customer.example",
                 *         "status": "delivered",
                 *         "workspace_id": "ws_01kdyak3se4w5amvgkazjzkvb7",
                 *         "created_at": "2026-03-01T09:00:00.000Z",
                 *         "audit": [
                 *           {
                 *             "event": "queued",
                 *             "occurred_at": "2026-03-01T09:00:00.000Z",
                 *             "actor": "api"
                 *           }
                 *         ],
                 *         "issued_at": "2026-03-01T10:00:00.000Z"
                 *       },
                 *       "signature": "kJ3vQ2nW8xZ5…"
                 *     }
                 */
                "application/json": components["schemas"]["ProofVerify"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofVerification"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "proofs.getKeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofKeySet"];
                };
            };
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "threads.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Part of the subject or the correspondent. */
                q?: string;
                /** @description `summary`: small rows, without the number of messages and who wrote last. Otherwise whole ones. */
                view?: components["schemas"]["ListView"];
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["ThreadStatus"][];
                /** @description The correspondent's address. */
                correspondent?: string;
                /** @description Only this sub-tenant's. */
                sub_tenant_id?: components["parameters"]["SubTenantIdQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "threads.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadInFull"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "threads.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "closed"
                 *     }
                 */
                "application/json": components["schemas"]["ThreadUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thread"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "threads.reply": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "It is being sent.",
                 *       "idempotency_key": "answer-4711"
                 *     }
                 */
                "application/json": components["schemas"]["ThreadReply"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            402: components["responses"]["QuotaExceeded"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "dmarcReports.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description A verified domain. */
                domain?: components["parameters"]["DomainQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DmarcReportList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "dmarcReports.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DmarcReport"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "dmarcReports.summary": {
        parameters: {
            query?: {
                /** @description A verified domain. */
                domain?: components["parameters"]["DomainQuery"];
                /** @description A date; without it 30 days before `to`. */
                from?: string;
                /** @description A date, exclusive; without it tomorrow. */
                to?: string;
                include_unauthenticated?: boolean;
                group_by?: components["schemas"]["DmarcGroup"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DmarcSummary"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "tlsReports.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description A verified domain. */
                domain?: components["parameters"]["DomainQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsReportList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "tlsReports.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsReport"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "tlsReports.summary": {
        parameters: {
            query?: {
                /** @description A verified domain. */
                domain?: components["parameters"]["DomainQuery"];
                /** @description A date; without it 30 days before `to`. */
                from?: string;
                /** @description A date, exclusive; without it tomorrow. */
                to?: string;
                include_unauthenticated?: boolean;
                group_by?: components["schemas"]["TlsGroup"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsSummary"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "usage.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Live messages of the organization, all its workspaces together, each counted once when it is accepted and given back when it never left. Days and months are UTC. The sandbox is not counted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "usage.listApiKeys": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Number of days, today included. */
                days?: number;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyUsageList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.signIn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "password": "four words of your own",
                 *       "totp": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.signOut": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.getSession": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.listSessions": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.endOtherSessions": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsRevoked"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.endSession": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.updateUser": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ann Smith"
                 *     }
                 */
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.changePassword": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current": "four words of before",
                 *       "new": "four words of your own"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.beginTotp": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "four words of your own"
                 *     }
                 */
                "application/json": components["schemas"]["TotpBegin"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpBegun"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.confirmTotp": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["TotpConfirm"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.disableTotp": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "four words of your own",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["TotpDisable"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.requestPasswordReset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetRequested"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.confirmPasswordReset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kJ3v…",
                 *       "password": "four words of your own"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordResetConfirm"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetDone"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.startDevice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_name": "mailkeel CLI",
                 *       "mode": "test"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceSignInStart"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignInStarted"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.pollDevice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "device_code": "kJ3v…"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceSignInPoll"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignInPolled"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.getDevice": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                user_code: components["parameters"]["UserCodePath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignIn"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.approveDevice": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                user_code: components["parameters"]["UserCodePath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "mode": "test",
                 *       "permission": "full"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceSignInApprove"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignInDecided"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.denyDevice": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                user_code: components["parameters"]["UserCodePath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignInDecided"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "members.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "members.remove": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "members.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": components["schemas"]["MemberUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "members.listApiKeys": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "invitations.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "invitations.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "role": "member"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationCreated"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "invitations.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "invitations.view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kJ3v…"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationView"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenInvitation"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "invitations.accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kJ3v…",
                 *       "name": "Ann Smith",
                 *       "password": "four words of your own"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationAccept"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "me.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.getAlerts": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertSettings"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.putAlerts": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mail_alerts": [
                 *         "host_check_failed",
                 *         "backup_failed"
                 *       ],
                 *       "quiet_hours": {
                 *         "from": "22:00",
                 *         "to": "07:00",
                 *         "time_zone": "Europe/Berlin",
                 *         "urgent_passes": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AlertSettingsUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertSettings"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.testAlerts": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "way": "mail"
                 *     }
                 */
                "application/json": components["schemas"]["AlertTest"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertTested"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auth.listAlertNotices": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertNoticeList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "senders.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Part of the address or domain, or of the name. */
                q?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SenderList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "senders.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "customer.example"
                 *     }
                 */
                "application/json": components["schemas"]["SenderCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sender"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "senders.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sender"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "senders.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SenderDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "senders.getAuthentication": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An address has no keys and no records: its owner confirms it by mail. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SenderAuthentication"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "senders.verify": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sender"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "senders.makeDefault": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sender"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. By a rate: the worst first, as the last sweep counted them; those without mail in the window come last. */
                order?: components["schemas"]["SubTenantOrder"];
                /** @description Its reputation state; `paused`: for a rate, not by request. Several with commas between them: any of these. */
                reputation?: components["schemas"]["ReputationState"][];
                /** @description Complaints of delivered messages, at least this share: 0.001 is 0.1 %. */
                min_complaint_rate?: number;
                /** @description Bounces of sent messages, at least this share: 0.001 is 0.1 %. */
                min_bounce_rate?: number;
                /** @description Part of the name, the sending domain or the external id. */
                q?: string;
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["SubTenantStatus"][];
                external_id?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenantList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Customer",
                 *       "sending_domain": "customer.example",
                 *       "external_id": "4711"
                 *     }
                 */
                "application/json": components["schemas"]["SubTenantCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenant"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenant"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenantDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Customer Ltd",
                 *       "throttle_per_hour": 600,
                 *       "branding": {
                 *         "name": "Customer",
                 *         "language": "de"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubTenantUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenant"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.verify": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenant"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.getAuthentication": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenantAuthentication"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.getAudit": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenantAudit"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.rotateDkim": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DkimRotate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenant"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.pause": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenant"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenant"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.getReputation": {
        parameters: {
            query?: {
                /** @description Days (UTC) of history, today included. */
                days?: number;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubTenantReputation"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "subTenants.getBulkRules": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkRules"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "bulkRules.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkRules"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://customer.example/hooks",
                 *       "events": [
                 *         "message.delivered",
                 *         "message.bounced"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointCreated"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "enabled"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointCreated"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookTest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.listDeliveries": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["WebhookDeliveryStatus"][];
                /** @description Several with commas between them: any of these. */
                event?: components["schemas"]["WebhookEventName"][];
                /** @description `data.id` of the payload: a message, or a sub-tenant. */
                message_id?: string;
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                since?: components["parameters"]["SinceQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                until?: components["parameters"]["UntilQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.listDeliveries": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.replayDelivery": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-03-01T09:00:00Z",
                 *       "status": "failed"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookReplayCreate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "webhookEndpoints.listReplays": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "events.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /**
                 * @description Names of events with commas between them: only these. Events of contacts, suppressions, domains, campaigns, imports, exports and bulk actions come only where they are named.
                 * @example message.delivered,message.bounced
                 */
                events?: string;
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                since?: components["parameters"]["SinceQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                until?: components["parameters"]["UntilQuery"];
                /** @description Returns only events of this sub-tenant. */
                sub_tenant_id?: string;
                /** @description `desc`, newest first, unless `asc` is asked for. */
                order?: "desc" | "asc";
                /** @description Id of the last event you have seen; the page starts after it. With `order=asc` only. */
                after?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "events.stream": {
        parameters: {
            query?: {
                /**
                 * @description Names of events with commas between them: only these. Events of contacts, suppressions, domains, campaigns, imports, exports and bulk actions come only where they are named.
                 * @example message.delivered,message.bounced
                 */
                events?: string;
                /** @description Id of the last event you have seen: the stream begins after it, as with the header Last-Event-ID, which counts more. Without either it begins now. */
                after?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream. It lasts until one side ends it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Part of the name, the slug or the subject. */
                q?: string;
                /** @description `summary`: small rows, without html, text, design and variables. Otherwise whole ones. */
                view?: components["schemas"]["ListView"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "subject": "Hello {{first_name}}",
                 *       "html": "<p>Good to have you here.</p>"
                 *     }
                 */
                "application/json": components["schemas"]["TemplateCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.delete": {
        parameters: {
            query?: {
                /** @description Deletes the template even if sequences or unfinished campaigns use it. */
                force?: boolean;
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "Welcome, {{first_name}}"
                 *     }
                 */
                "application/json": components["schemas"]["TemplateUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.listVersions": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVersionList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.getVersion": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVersion"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.compareVersions": {
        parameters: {
            query?: {
                /** @description The one before `to` when missing. */
                from?: number;
                /** @description The current one when missing. */
                to?: number;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDiff"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["TemplateRestore"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.copy": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "environment": "test"
                 *     }
                 */
                "application/json": components["schemas"]["TemplateCopy"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.renderContent": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "Hello {{first_name}}",
                 *       "html": "<p>Good to have you.</p>",
                 *       "variables": {
                 *         "first_name": "Ann"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContentRender"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedContent"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.render": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "variables": {
                 *         "first_name": "Ann"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TemplateRender"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedTemplate"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "templates.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Its id, or its slug. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": [
                 *         "me@example.com"
                 *       ],
                 *       "variables": {
                 *         "first_name": "Ann"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TemplateTest"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateTestResult"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "savedBlocks.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Part of the name. */
                q?: components["parameters"]["QQuery"];
                /** @description Adds the sub-tenant's blocks to the workspace's. */
                sub_tenant_id?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedBlockList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "savedBlocks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Legal footer",
                 *       "block": {
                 *         "id": "1",
                 *         "type": "footer",
                 *         "text": "Example Ltd, 1 High Street"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SavedBlockCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedBlock"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "savedBlocks.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedBlockDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "savedBlocks.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Footer"
                 *     }
                 */
                "application/json": components["schemas"]["SavedBlockUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedBlock"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "contacts.erase": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Its id, or its address, URL-encoded. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactErasure"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Part of the name. */
                q?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingListList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Newsletter",
                 *       "description": "Once a month.",
                 *       "double_opt_in": true
                 *     }
                 */
                "application/json": components["schemas"]["MailingListCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingList"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.preview": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "all": [
                 *           {
                 *             "field": "tag",
                 *             "op": "has",
                 *             "value": "vip"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ListPreviewRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPreview"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactListDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Newsletter",
                 *       "double_opt_in": true
                 *     }
                 */
                "application/json": components["schemas"]["MailingListUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingList"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.listTags": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTagList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.getGrowth": {
        parameters: {
            query?: {
                window_days?: number;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGrowth"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.rotatePublishableKey": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingList"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.deletePublishableKey": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingList"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.listContacts": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Part of the address or name; of one or two letters, the beginning of the address or of a word of the name. */
                q?: string;
                tag?: components["parameters"]["TagQuery"];
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["ContactStatus"][];
                /** @description `pending`: contacts who have signed up and not confirmed yet. */
                list_state?: components["schemas"]["ListMemberState"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMemberList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.addContacts": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "name": "Ann Smith",
                 *       "tags": [
                 *         "vip"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ListMemberAdd"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMember"] | components["schemas"]["ListAddition"];
                };
            };
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMember"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.removeContact": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
                /** @description Its id, or its address, URL-encoded. */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMemberRemoved"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "lists.subscribe": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "list_id": "lst_01kdyak3se4w5amvgkazjzkvb7",
                 *       "email": "ann@example.com",
                 *       "name": "Ann Smith"
                 *     }
                 */
                "application/json": components["schemas"]["SubscribeRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "imports.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "imports.create": {
        parameters: {
            query?: {
                /** @description The list that the contacts join, segments excepted. */
                list_id?: string;
                /** @description Tags that every contact gets, separated by commas. */
                tags?: string;
                /** @description `create_only` leaves known contacts as they are, `update_only` adds none. */
                mode?: components["schemas"]["ImportMode"];
                /** @description Checks every row and changes nothing. An address in two rows far apart counts as new twice. */
                dry_run?: boolean;
                /** @description `columns[E-Mail]=email`: what a column or field becomes, by its name in the file. A target is `email`, `name`, `first_name`, `last_name`, `phone`, `tags`, `status`, `metadata` (a JSON object), `sub_tenant_id`, `metadata.<key>` (a custom field) or `ignore`. Other columns are guessed from their names. A CSV file with an unknown column that looks like a status is refused until its target is given. */
                columns?: {
                    [key: string]: string;
                };
                sub_tenant_id?: string;
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example email,name,tags,city
                 *     ann@example.com,Ann Smith,"vip,beta",Bremen
                 */
                "text/csv": string;
                /** @example {"email":"ann@example.com","name":"Ann Smith","tags":["vip"],"metadata":{"city":"Bremen"}} */
                "application/x-ndjson": string;
                "application/json": components["schemas"]["ImportItem"][];
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "imports.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "imports.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "imports.getRejectedRows": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; without rows it has its header only. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "contacts.export": {
        parameters: {
            query?: {
                format?: components["schemas"]["TransferFormat"];
                /** @description Only this list's subscribed members. */
                list_id?: string;
                tag?: components["parameters"]["TagQuery"];
                status?: components["schemas"]["ContactStatus"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/json": string;
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "exports.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "exports.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportCreate"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "exports.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "exports.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "exports.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "exports.getFile": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/json": string;
                };
            };
            /** @description The requested part. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/json": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "bulkActions.createForMessages": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "resend",
                 *       "filter": {
                 *         "status": [
                 *           "failed"
                 *         ],
                 *         "tag": [
                 *           "customer"
                 *         ]
                 *       },
                 *       "dry_run": false
                 *     }
                 */
                "application/json": components["schemas"]["BulkActionOnMessages"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionPreview"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAction"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "bulkActions.createForContacts": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "tag",
                 *       "filter": {
                 *         "status": [
                 *           "active"
                 *         ]
                 *       },
                 *       "tags": [
                 *         "spring"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkActionOnContacts"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionPreview"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAction"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "bulkActions.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "bulkActions.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAction"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "bulkActions.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAction"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Part of the name. */
                q?: components["parameters"]["QQuery"];
                /** @description `summary`: small rows, without variants and settings. Otherwise whole ones. */
                view?: components["schemas"]["ListView"];
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["CampaignStatus"][];
                list_id?: string;
                /** @description Only this sub-tenant's. */
                sub_tenant_id?: components["parameters"]["SubTenantIdQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "March news",
                 *       "list_id": "lst_01j9z3k8q6v5w4x2y1r0n7m6a5",
                 *       "template_id": "tpl_01j9z3k8q6v5w4x2y1r0n7m6a5",
                 *       "segment_tag": "customers",
                 *       "variants": [
                 *         {
                 *           "tag": "vip",
                 *           "template_id": "tpl_01j9z3k8q6v5w4x2y1r0n7m6b6",
                 *           "subject": "For you"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CampaignCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "News of March",
                 *       "segment_tag": null
                 *     }
                 */
                "application/json": components["schemas"]["CampaignUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.duplicate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "April news"
                 *     }
                 */
                "application/json": components["schemas"]["CampaignDuplicate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.send": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "scheduled_at": "2027-03-01T09:00:00+01:00"
                 *     }
                 */
                "application/json": components["schemas"]["CampaignSend"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.pause": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": [
                 *         "me@example.com"
                 *       ],
                 *       "email": "ann@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CampaignTest"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignTestResult"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.resendInDoubt": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResendInDoubt"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.preview": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Only the copy of this recipient. */
                email?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPreview"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.preflight": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPreflight"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.listRecipients": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Several with commas between them: any of these. */
                state?: components["schemas"]["CampaignRecipientState"][];
                /** @description The result of their copy, or their reaction; people only, as in the funnel: a recipient who clicked has opened, too. Several with commas between them: any of these. */
                did?: components["schemas"]["CampaignRecipientDeed"][];
                /** @description Leaves out recipients who did. With `did=delivered`: recipients who got it, but did not. Several with commas between them: any of these. */
                did_not?: components["schemas"]["CampaignRecipientDeed"][];
                /** @description True: those whose copy may have arrived or not; false: the others. */
                in_doubt?: boolean;
                email?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignDeliveryList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.listOverrides": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOverrideList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.putOverride": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "subject": "Ann, one more thing",
                 *       "html": "<p>Hello {{first_name}}</p>"
                 *     }
                 */
                "application/json": components["schemas"]["CampaignOverridePut"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOverride"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.deleteOverride": {
        parameters: {
            query: {
                email: string;
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOverrideDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["SequenceStatus"][];
                /** @description Part of the name. */
                q?: components["parameters"]["QQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SequenceList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "trigger": {
                 *         "type": "contact_created"
                 *       },
                 *       "steps": [
                 *         {
                 *           "id": "hello",
                 *           "type": "send",
                 *           "template": "welcome"
                 *         },
                 *         {
                 *           "id": "read",
                 *           "type": "branch",
                 *           "event": "clicked",
                 *           "within_hours": 72,
                 *           "next_step_id": "done"
                 *         },
                 *         {
                 *           "id": "again",
                 *           "type": "send",
                 *           "template": "welcome-again"
                 *         },
                 *         {
                 *           "id": "done",
                 *           "type": "exit"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SequenceCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sequence"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sequence"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SequenceDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome, new",
                 *       "exit_on": [
                 *         "replied",
                 *         "unsubscribed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SequenceUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sequence"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.getAnalytics": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SequenceAnalytics"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.pause": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sequence"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sequence"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.resendInDoubt": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SequenceResendInDoubt"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.retryFailed": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SequenceRetryFailed"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.enroll": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "variables": {
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EnrollmentCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Enrollment"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.listEnrollments": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["EnrollmentStatus"][];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sequences.cancelEnrollment": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
                enrollment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Enrollment"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "analytics.get": {
        parameters: {
            query?: {
                /** @description Days (UTC), today included; 30 when missing. Instead of `from` and `to`. */
                window_days?: number;
                /** @description A date or a time; the unit that it is in counts whole. */
                from?: string;
                /** @description Exclusive; now when missing. */
                to?: string;
                /** @description Of the series; `day` when missing. Hours of at most 7 days of the last 32, days of 366, weeks and months of 1,830. */
                unit?: components["schemas"]["AnalyticsUnit"];
                /** @description `provider` is the provider of the recipients' mail servers. */
                group_by?: components["schemas"]["AnalyticsGroupBy"];
                tag?: string;
                campaign_id?: string;
                /** @description As `group_by=provider` names it. */
                provider?: string;
                /** @description Only this sub-tenant's mail. */
                sub_tenant_id?: string;
                type?: components["schemas"]["MessageType"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Analytics"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "campaigns.getAnalytics": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignAnalytics"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "search.find": {
        parameters: {
            query: {
                /**
                 * @description An id, an address, or part of an address, a name or a subject.
                 * @example ann
                 */
                q: string;
                /** @description Only these; several with commas between them. */
                type?: components["schemas"]["SearchResultType"][];
                /** @description Most results of each type. */
                limit?: number;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Search"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "bounces.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                category?: components["schemas"]["BounceCategory"];
                cause?: components["schemas"]["BounceCause"];
                campaign_id?: string;
                /** @description Only this sub-tenant's mail. */
                sub_tenant_id?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BounceList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "bounces.summarize": {
        parameters: {
            query?: {
                /** @description Days (UTC), today included. */
                window_days?: number;
                /** @description Only this sub-tenant's mail. */
                sub_tenant_id?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BounceSummary"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.listDestinations": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Only this one. */
                domain?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueDestinationList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.retryDestination": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description A recipient's domain. */
                domain: components["parameters"]["DomainPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueRetry"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "cancel",
                 *       "domain": "customer.example",
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["QueuePurgeRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuePurge"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.pauseDestination": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description A recipient's domain. */
                domain: components["parameters"]["DomainPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QueueDestinationPause"];
            };
        };
        responses: {
            /** @description Waiting mail for one recipient domain. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueDestination"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.resumeDestination": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description A recipient's domain. */
                domain: components["parameters"]["DomainPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Waiting mail for one recipient domain. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueDestination"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.listOverrides": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueOverrideList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.deleteOverride": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueOverrideDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sources.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sources.suspend": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Of the source or smarthost. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "On a block list"
                 *     }
                 */
                "application/json": components["schemas"]["SourceSuspendRequest"];
            };
        };
        responses: {
            /** @description A local address or a smarthost that mail leaves by. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "sources.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Of the source or smarthost. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SourceResumeRequest"];
            };
        };
        responses: {
            /** @description A local address or a smarthost that mail leaves by. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "system.reload": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReloadRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reload"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "queue.traceDestination": {
        parameters: {
            query?: {
                /** @description `next` of the answer before. */
                after?: number;
                /** @description True: with the addresses of senders and recipients. */
                addresses?: boolean;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description A recipient's domain. */
                domain: components["parameters"]["DomainPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DestinationTrace"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "routes.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouteList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "routes.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domains": [
                 *         "customer.example"
                 *       ],
                 *       "via": [
                 *         "pool:default"
                 *       ],
                 *       "reason": "Blocked at the other address"
                 *     }
                 */
                "application/json": components["schemas"]["RouteRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouteChange"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "routes.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouteDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.simulate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "complained"
                 *     }
                 */
                "application/json": components["schemas"]["SimulateRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "messages.listSandboxAddresses": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAddressList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "shareLinks.createForMessage": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expires_in_days": 3,
                 *       "include_content": false
                 *     }
                 */
                "application/json": components["schemas"]["ShareMessage"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkCreated"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "shareLinks.createForSubTenant": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expires_in_days": 14
                 *     }
                 */
                "application/json": components["schemas"]["ShareDns"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkCreated"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "shareLinks.createForSender": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expires_in_days": 14
                 *     }
                 */
                "application/json": components["schemas"]["ShareDns"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkCreated"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "shareLinks.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Of the message, sub-tenant or sender. */
                target_id?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "shareLinks.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "health.getChecks": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReport"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "health.runChecks": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReport"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "system.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "nodes.list": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "system.getActivity": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "contacts.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Part of the address or name; of one or two letters, the beginning of the address or of a word of the name. */
                q?: string;
                tag?: components["parameters"]["TagQuery"];
                /** @description Several with commas between them: any of these. */
                status?: components["schemas"]["ContactStatus"][];
                /** @description Subscribed to this list, or in this segment. */
                list_id?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "contacts.upsert": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "name": "Ann Smith",
                 *       "tags": [
                 *         "vip"
                 *       ],
                 *       "metadata": {
                 *         "city": "Bremen"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContactUpsert"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "contacts.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description Its id, or its address, URL-encoded. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "contacts.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Its id, or its address, URL-encoded. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "contacts.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Its id, or its address, URL-encoded. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ann Miller",
                 *       "tags": [
                 *         "vip",
                 *         "customer"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "contacts.listActivity": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description Its id, or its address, URL-encoded. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactActivityList"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "suppressions.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description ISO 8601 with an offset; inclusive. */
                created_after?: string;
                /** @description ISO 8601 with an offset; exclusive. */
                created_before?: string;
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description Several with commas between them: any of these. */
                reason?: components["schemas"]["SuppressionReason"][];
                /** @description Part of the address. */
                q?: string;
                /** @description Only this sub-tenant's. */
                sub_tenant_id?: components["parameters"]["SubTenantIdQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "suppressions.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ann@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SuppressionCreate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "suppressions.export": {
        parameters: {
            query?: {
                /** @description Several with commas between them: any of these. */
                reason?: components["schemas"]["SuppressionReason"][];
                /** @description Part of the address. */
                q?: string;
                /** @description Only this sub-tenant's. */
                sub_tenant_id?: components["parameters"]["SubTenantIdQuery"];
                /** @description ISO 8601 with an offset; inclusive. */
                created_after?: string;
                /** @description ISO 8601 with an offset; exclusive. */
                created_before?: string;
                /** @description Without it the Accept header decides, else it is CSV. */
                format?: "csv" | "jsonl";
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "suppressions.check": {
        parameters: {
            query: {
                email: string;
                /** @description Asks for this sub-tenant's mail. */
                sub_tenant_id?: string;
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionCheck"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "suppressions.delete": {
        parameters: {
            query?: {
                /** @description Deletes this sub-tenant's row instead of the workspace's. */
                sub_tenant_id?: string;
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The address, URL-encoded; or the id of the suppression. */
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "organization.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "organization.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "postal_address": "Customer Ltd, 1 High Street, Bremen",
                 *       "branding": {
                 *         "name": "Customer",
                 *         "color": "#0b6e4f",
                 *         "website_url": "https://customer.example"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrganizationUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "apiKeys.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "apiKeys.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Web shop",
                 *       "permission": "send",
                 *       "allowed_ips": [
                 *         "192.0.2.0/24"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "apiKeys.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "apiKeys.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyDeleted"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "apiKeys.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "allowed_ips": [
                 *         "192.0.2.0/24"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "apiKeys.rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap": "24h"
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyRotate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "workspaces.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Newest first (`-created_at`) without it. */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "workspaces.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Second shop",
                 *       "api_keys": true
                 *     }
                 */
                "application/json": components["schemas"]["WorkspaceCreate"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceCreated"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "workspaces.get": {
        parameters: {
            query?: {
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "workspaces.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A repeated request with it is answered as the first one and changes nothing again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the version that you have read. If the object was changed since, the answer is 412 and nothing changes. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "retention_days": 90,
                 *       "retention_mode": "redact"
                 *     }
                 */
                "application/json": components["schemas"]["WorkspaceUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "auditLog.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                actor_id?: string;
                action?: string;
                target_id?: string;
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                since?: components["parameters"]["SinceQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                until?: components["parameters"]["UntilQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "requests.list": {
        parameters: {
            query?: {
                /** @description Most objects on the page. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Such as `422`, or `4xx` for all that begin so. */
                status?: string;
                method?: components["schemas"]["RequestMethod"];
                /** @description Beginning of the path. */
                path?: string;
                /** @description A key or a person. */
                actor_id?: string;
                /** @description Only requests by keys, or only by people in the dashboard. */
                actor_kind?: components["schemas"]["RequestActorKind"];
                /** @description Of the error. */
                code?: string;
                /** @description A date, or ISO 8601 with an offset; inclusive. */
                since?: components["parameters"]["SinceQuery"];
                /** @description A date, or ISO 8601 with an offset; exclusive. */
                until?: components["parameters"]["UntilQuery"];
                /** @description The workspace, as the header X-Workspace-Id; of a key only its own. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as the header X-Environment; of a key only its own. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestList"];
                };
            };
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "imports.preview": {
        parameters: {
            query?: {
                /** @description `columns[E-Mail]=email`: what a column or field becomes, by its name in the file. A target is `email`, `name`, `first_name`, `last_name`, `phone`, `tags`, `status`, `metadata` (a JSON object), `sub_tenant_id`, `metadata.<key>` (a custom field) or `ignore`. Other columns are guessed from their names. A CSV file with an unknown column that looks like a status is refused until its target is given. */
                columns?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example email,name,tags,city
                 *     ann@example.com,Ann Smith,"vip,beta",Bremen
                 */
                "text/csv": string;
                /** @example {"email":"ann@example.com","name":"Ann Smith","tags":["vip"],"metadata":{"city":"Bremen"}} */
                "application/x-ndjson": string;
                "application/json": components["schemas"]["ImportItem"][];
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "suppressions.import": {
        parameters: {
            query?: never;
            header?: {
                /** @description Narrows the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example email,reason
                 *     ann@example.com,unsubscribe
                 *     bob@example.com,bounce
                 */
                "text/csv": string;
                /** @example {"email":"ann@example.com","reason":"unsubscribe"} */
                "application/x-ndjson": string;
                "application/json": components["schemas"]["SuppressionImportItem"][];
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionImport"];
                };
            };
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationError"];
            "4XX": components["responses"]["Refusal"];
            "5XX": components["responses"]["Failure"];
        };
    };
    "on.message.sent": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.sent",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.sent",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.delivered": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.delivered",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.delivered",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.opened": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.opened",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.opened",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.clicked": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.clicked",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.clicked",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.bounced": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.bounced",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.bounced",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.complained": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.complained",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.complained",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.failed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.failed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.suppressed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.suppressed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.suppressed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.recipient.suppressed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "recipient.suppressed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "recipient.suppressed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.received": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.received",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.received",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.deferred": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.deferred",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.deferred",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.message.unsubscribed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "message.unsubscribed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "msg_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "message.unsubscribed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.warned": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.warned",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.warned",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.throttled": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.throttled",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.throttled",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.paused": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.paused",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.paused",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.recovered": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.recovered",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.recovered",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.dns_drifted": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.dns_drifted",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.dns_drifted",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.dns_suspended": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.dns_suspended",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.dns_suspended",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.dns_recovered": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.dns_recovered",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.dns_recovered",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.dkim_rotation_started": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.dkim_rotation_started",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.dkim_rotation_started",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.tenant.dkim_rotation_completed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "tenant.dkim_rotation_completed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "tnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "tenant.dkim_rotation_completed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.suppression.created": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "suppression.created",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "sup_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "suppression.created",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.suppression.deleted": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "suppression.deleted",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "sup_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "suppression.deleted",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.contact.created": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "contact.created",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "contact.created",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.contact.updated": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "contact.updated",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "contact.updated",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.contact.unsubscribed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "contact.unsubscribed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "contact.unsubscribed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.contact.deleted": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "contact.deleted",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "contact.deleted",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.contact.erased": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "contact.erased",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cnt_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "contact.erased",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.domain.verified": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "domain.verified",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "snd_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "domain.verified",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.domain.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "domain.failed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "snd_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "domain.failed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.domain.drifted": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "domain.drifted",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "snd_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "domain.drifted",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.domain.suspended": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "domain.suspended",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "snd_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "domain.suspended",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.domain.recovered": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "domain.recovered",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "snd_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "domain.recovered",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.campaign.scheduled": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "campaign.scheduled",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cmp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "campaign.scheduled",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.campaign.started": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "campaign.started",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cmp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "campaign.started",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.campaign.paused": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "campaign.paused",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cmp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "campaign.paused",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.campaign.resumed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "campaign.resumed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cmp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "campaign.resumed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.campaign.sent": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "campaign.sent",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cmp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "campaign.sent",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.campaign.canceled": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "campaign.canceled",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "cmp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "campaign.canceled",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.import.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "import.completed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "imp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "import.completed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.import.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "import.failed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "imp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "import.failed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.import.canceled": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "import.canceled",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "imp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "import.canceled",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.export.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "export.completed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "exp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "export.completed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.export.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "export.failed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "exp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "export.failed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.export.canceled": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "export.canceled",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "exp_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "export.canceled",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.bulk_action.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "bulk_action.completed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "blk_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "bulk_action.completed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.bulk_action.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "bulk_action.failed",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "blk_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "bulk_action.failed",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.bulk_action.canceled": {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The name of the event. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The same for every attempt of a delivery. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description Counts from 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description Only on a replay: the delivery that this one repeats. */
                "Service-Replay-Of"?: components["parameters"]["ServiceReplayOf"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "bulk_action.canceled",
                 *       "occurred_at": "2026-03-01T09:00:00.000Z",
                 *       "data": {
                 *         "id": "blk_01kdyak3se4w5amvgkazjzkvb7",
                 *         "event": "bulk_action.canceled",
                 *         "occurred_at": "2026-03-01T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Received. Anything else is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
