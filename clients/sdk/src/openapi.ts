// Generated from docs/openapi.json by `npm run generate -w @mailkeel/sdk`. Do not edit.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Returns 200 while the process is running. No API key is required.
         */
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
        /**
         * Check readiness
         * @description Returns 200 if the service can accept requests. Returns 503 if the database cannot be read or written or is damaged, disk space is low, the clock differs from the database's by 10 seconds or more, or the server is shutting down. No API key is required.
         */
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
        /**
         * List messages
         * @description Returns sent and received messages, newest first. Use `view=summary` for compact objects.
         */
        get: operations["messages.list"];
        put?: never;
        /**
         * Send a message
         * @description Sends an email immediately or at `send_at`, and returns a message with the status `queued`. Repeating a request with the same idempotency key returns the first response with the header `Idempotent-Replayed: true`. A recipient who has unsubscribed gets no further email, **including transactional email**, unless the organization sets `unsubscribe_blocks` to `marketing` (`PATCH /v1/organization`). The status of a blocked message becomes `suppressed`, and its audit trail has the reason. With a `topic`, unsubscribing only blocks email for that list.
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
        /**
         * Resend a message
         * @description Sends the same content, headers, tags and metadata to the same recipient immediately, as a new message with a new ID. The schedule and expiry of the original are not copied. Fails with `conflict` if the original was suppressed before its content was created.
         */
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
         * Send a batch of messages
         * @description Sends several independent messages. Invalid items do not affect the others unless `atomic` is `true`; their entry in `data` is an `{error}`. The `Idempotency-Key` header covers the whole batch. Items without an `idempotency_key` get the header's value followed by a slash and their position, starting at 0.
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
        /**
         * Retrieve a message
         * @description Returns a message with its status, latest attempt and error. For received mail, the response also has the `received` part.
         */
        get: operations["messages.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Reschedule a message
         * @description Changes the time at which a scheduled or queued message is sent. Fails with `message_not_cancelable` once delivery has begun, and with `validation_error` if the new time is not before the message's `expires_at`.
         */
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
        /**
         * Retrieve a message's content
         * @description Returns the subject, bodies, addressees and additional headers of a message as rendered for its recipient.
         */
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
        /**
         * Retrieve a message's audit trail
         * @description Returns the events of a message in the order in which they occurred, with actor, time and details.
         */
        get: operations["messages.getAudit"];
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
        /**
         * Cancel a message
         * @description Cancels a scheduled or queued message before its first delivery attempt. Fails with `message_not_cancelable` once delivery has begun.
         */
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
         * Download a message's attachment
         * @description Returns one file of a message by its position in `attachments`, starting at 0. Inline images of received mail are included.
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
    "/v1/messages/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Issue a proof for a message
         * @description Returns a signed proof of a message and its audit trail. Anyone can check it with `POST /v1/proof/verify` or offline with the public keys.
         */
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
         * Verify a proof
         * @description Checks `bundle` and `signature`, and the attestation if present. No API key is required. If anything does not match, the response has `valid: false`. `sandbox` shows whether the message was created with a test key and therefore not delivered to anyone.
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
        /**
         * List the public keys for proofs
         * @description Returns the public keys that verify proofs, including retired keys. No API key is required.
         */
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
         * List threads
         * @description Returns conversations, most recently active first. A new message moves its thread to the top, so a thread that becomes active while you paginate does not appear on later pages. Request the first page again to see it. No thread is returned twice.
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
        /**
         * Retrieve a thread
         * @description Returns a conversation with its latest messages, up to 25. To list all of them, use `GET /v1/messages?thread_id=`.
         */
        get: operations["threads.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Close or reopen a thread
         * @description Sets the status of a thread. A closed thread reopens automatically when either side sends another message.
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
         * Reply to a thread
         * @description Sends a transactional message, on behalf of the thread's sub-tenant, to the correspondent or to `to`. In-Reply-To and References refer to the last message of the thread. Replying reopens a closed thread.
         */
        post: operations["threads.reply"];
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
         * Download a message as MIME
         * @description Returns the message in `message/rfc822` format. A sent message is composed again as it was sent, with its DKIM signatures, and differs only if keys or an inbound domain have changed since. A message that has not been sent is unsigned. Received mail is returned as received.
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
    "/v1/messages/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a message's delivery attempts
         * @description Returns the attempts to deliver a message with their SMTP transcripts, oldest first. Includes at most the last 200 attempts.
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
        /**
         * Explain a message's status
         * @description Returns why the message has its current status, the steps that led to it, the next automatic step, and suggested actions with the API calls to take them. Texts follow the `Accept-Language` header.
         */
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
         * Retry a message
         * @description Immediately retries a deferred or held message. Its attempt count and lifetime do not change, and limits and pauses still apply. A message whose last attempt ended in doubt is also retried and may arrive twice. If the recipient's server asked for a delay (greylisting, a stated time or a block list), the request fails with 429 and `Retry-After` until that time.
         */
        post: operations["messages.retry"];
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
        /**
         * List DMARC reports
         * @description Returns the DMARC aggregate reports received for your domains, newest first.
         */
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
        /**
         * Retrieve a DMARC report
         * @description Returns a DMARC aggregate report with its records, each classified by who sent the mail.
         */
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
        /**
         * Summarize DMARC reports
         * @description Returns totals of the DMARC reports for a period, optionally grouped, with a summary in plain sentences. Defaults to the last 30 days. Reports that do not prove their sender are omitted unless `include_unauthenticated` is `true`.
         */
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
        /**
         * List TLS reports
         * @description Returns the SMTP TLS reports (RFC 8460) received for your inbound domains, newest first.
         */
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
        /**
         * Retrieve a TLS report
         * @description Returns an SMTP TLS report with its records.
         */
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
        /**
         * Summarize TLS reports
         * @description Returns totals of the TLS reports for a period, optionally grouped, with a summary in plain sentences. Defaults to the last 30 days. Reports that do not prove their sender are omitted unless `include_unauthenticated` is `true`.
         */
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
        /**
         * Retrieve usage
         * @description Returns the limits of the plan and their usage today and this month. Sandbox messages are not counted.
         */
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
        /**
         * List usage by API key
         * @description Returns the number of messages sent with each API key of the workspace, by day. Users need the role `admin`.
         */
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
         * Sign in with a password
         * @description Signs in a user and sets the session cookie. The error is the same for an unknown address, a wrong password or code, and a locked account. `totp_required` is returned only after the correct password.
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
        /**
         * Sign out of the session
         * @description Ends the current session and clears its cookie.
         */
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
        /**
         * Retrieve the session
         * @description Returns the signed-in user with organization, role and workspaces, and the CSRF token of the session.
         */
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
        /**
         * List your sessions
         * @description Returns the sessions of the signed-in user, newest first.
         */
        get: operations["auth.listSessions"];
        put?: never;
        post?: never;
        /**
         * End your other sessions
         * @description Ends all sessions of the signed-in user except the current one.
         */
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
        /**
         * End one of your sessions
         * @description Ends a session of the signed-in user.
         */
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
        /**
         * Update your name
         * @description Changes the name of the signed-in user.
         */
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
        /**
         * Change your password
         * @description Changes the password of the signed-in user and ends all of the user's other sessions. Requires the current password.
         */
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
        /**
         * Set up an authenticator app
         * @description Returns a secret for an authenticator app. Requires the password. Two-factor authentication is enabled once you confirm a code with `POST /v1/auth/totp/confirm`.
         */
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
        /**
         * Enable two-factor authentication
         * @description Enables two-factor authentication by confirming a code of the authenticator app. Ends all of the user's other sessions and returns the recovery codes, which are not shown again.
         */
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
        /**
         * Disable two-factor authentication
         * @description Disables two-factor authentication. Requires the password and a code of the authenticator app or a recovery code.
         */
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
         * Request a password reset
         * @description Emails a link for choosing a new password. The response does not reveal whether there is an account with the address. Fails with 409 if the server has no domain to send the link from.
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
        /**
         * Reset a password
         * @description Sets a new password with the token from the emailed link and ends all of the user's sessions.
         */
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
         * Start a device sign-in
         * @description Starts a sign-in for a program without a browser (RFC 8628). Show `user_code` and `verification_uri` to the user, then call `POST /v1/auth/device/token` every `interval` seconds. No API key is required.
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
        /**
         * Poll a device sign-in
         * @description Returns whether the user has approved the program. After approval, the API key is returned once. No API key is required.
         */
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
        /**
         * Retrieve a device sign-in
         * @description Returns the program that is waiting for approval with a user code. Requires the role `admin` and a signed-in session.
         */
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
        /**
         * Approve a device sign-in
         * @description Approves a program, which then receives an API key of the current workspace. Requires the role `admin` and a signed-in session.
         */
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
        /**
         * Deny a device sign-in
         * @description Denies a program that is waiting for approval. Requires the role `admin` and a signed-in session.
         */
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
        /**
         * List members
         * @description Returns the users of the organization, newest first. API keys need permission `admin`.
         */
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
        /**
         * Remove a member
         * @description Removes a member from the organization and revokes the member's API keys. An account without any organization is deleted. Every user can remove themselves; API keys need permission `admin`.
         */
        delete: operations["members.remove"];
        options?: never;
        head?: never;
        /**
         * Update a member's role
         * @description Changes the role of a member. Only an owner can make someone an owner or change an owner's role. Requires permission `admin`; users need the role `admin`.
         */
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
        /**
         * List a member's API keys
         * @description Returns the API keys of a member in all workspaces. Removing the member revokes them. Requires permission `admin`; users need the role `admin`.
         */
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
        /**
         * List invitations
         * @description Returns the invitations to the organization, newest first. Requires permission `admin`; users need the role `admin`.
         */
        get: operations["invitations.list"];
        put?: never;
        /**
         * Create an invitation
         * @description Invites a person to the organization by email and returns the link. Replaces an open invitation to the same address. Requires permission `admin`; users need the role `admin`.
         */
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
        /**
         * Revoke an invitation
         * @description Revokes an invitation, so that its link stops working. Requires permission `admin`; users need the role `admin`.
         */
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
        /**
         * View an invitation
         * @description Returns the organization, address and role of an invitation, given the token from its link. No API key is required.
         */
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
         * Accept an invitation
         * @description Creates an account with the given password, or adds the existing account to the organization. If the address has an account (`has_account`), its password is required, and after `totp_required` its second factor, as for signing in. No API key is required.
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
        /**
         * Retrieve the caller
         * @description Returns the API key or user that makes the request, with its permission, workspace, environment and limits.
         */
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
        /**
         * Retrieve your alert settings
         * @description Returns the alerts you receive by email and webhook, and your quiet hours. Requires a signed-in session.
         */
        get: operations["auth.getAlerts"];
        /**
         * Set your alert settings
         * @description Replaces your alert settings. If you set a new webhook URL, the response contains its signing secret, which is not shown again. Requires a signed-in session.
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
         * Send a test alert
         * @description Sends you a test alert by email or webhook, up to ten per hour for each. Test alerts count toward the hourly limit of ten emails or webhook posts. `GET /v1/auth/alerts/notices` shows whether it was delivered. Requires a signed-in session.
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
        /**
         * List your alert notices
         * @description Returns the alerts you were sent, newest first, with their delivery status. Requires a signed-in session.
         */
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
        /**
         * List senders
         * @description Returns the addresses and domains that you can send from, newest first.
         */
        get: operations["senders.list"];
        put?: never;
        /**
         * Create a sender
         * @description Adds an email address or a domain to send from. An address on a verified domain is verified immediately; otherwise its owner receives a confirmation link. For a domain, Mailkeel creates DKIM keys and returns the DNS records to publish.
         */
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
        /**
         * Retrieve a sender
         * @description Returns a sender. For a domain, includes the DNS records to publish.
         */
        get: operations["senders.get"];
        put?: never;
        post?: never;
        /**
         * Delete a sender
         * @description Removes a sender. For a domain, Mailkeel stops signing with its keys and no longer accepts mail from it.
         */
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
        /**
         * Retrieve a sender's DNS checks
         * @description Returns the domain's DKIM keys and the last check result of each DNS record, with advice. To run the checks again, use `POST /v1/senders/{id}/verify`.
         */
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
        /**
         * Verify a sender
         * @description Checks a domain's DNS records immediately. For an unconfirmed address, sends its owner a new confirmation link.
         */
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
        /**
         * Set the default sender
         * @description Makes an address the default From address of its workspace or sub-tenant, replacing the previous default. Fails with `conflict` for a domain.
         */
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
        /**
         * List sub-tenants
         * @description Returns sub-tenants, optionally filtered or sorted by their complaint and bounce rates.
         */
        get: operations["subTenants.list"];
        put?: never;
        /**
         * Create a sub-tenant
         * @description Creates a sub-tenant for one of your customers with its own DKIM keys. Publish the DNS records in the response to verify its domain. Not available to keys that are pinned to a sub-tenant.
         */
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
        /**
         * Retrieve a sub-tenant
         * @description Returns a sub-tenant with its DNS records and reputation.
         */
        get: operations["subTenants.get"];
        put?: never;
        post?: never;
        /**
         * Delete a sub-tenant
         * @description Deletes a sub-tenant with its DKIM keys, senders, templates and API keys. Its queued messages fail. Not available to keys that are pinned to a sub-tenant.
         */
        delete: operations["subTenants.delete"];
        options?: never;
        head?: never;
        /**
         * Update a sub-tenant
         * @description Changes the name, external ID, throttle, branding, or the domains for bounces, replies and tracked links. Everything other than the name and external ID requires a live key. Not available to keys that are pinned to a sub-tenant.
         */
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
        /**
         * Verify a sub-tenant's domain
         * @description Checks the DNS records of the sending domain immediately. The status becomes `verified` once all required records are correct.
         */
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
        /**
         * Retrieve a sub-tenant's DNS checks
         * @description Returns the DKIM keys of a sub-tenant and the last check result of each DNS record, with advice.
         */
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
        /**
         * Retrieve a sub-tenant's audit trail
         * @description Returns the last 1,000 events of a sub-tenant, in chronological order.
         */
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
        /**
         * Rotate DKIM keys
         * @description Creates new DKIM keys for a sub-tenant. The current keys sign until the records of the new ones are found in DNS, unless `emergency` is set. Requires a live key that is not pinned to a sub-tenant.
         */
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
        /**
         * Pause a sub-tenant
         * @description Rejects the sub-tenant's messages and holds its queued mail in the key's environment until it is resumed. Not available to keys that are pinned to a sub-tenant.
         */
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
        /**
         * Resume a sub-tenant
         * @description Resumes sending for a sub-tenant in the key's environment. Not available to keys that are pinned to a sub-tenant.
         */
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
         * Retrieve a sub-tenant's reputation
         * @description Returns complaint and bounce rates by day, the thresholds, and changes of the reputation state, for the key's environment. The rates are those of the last evaluation, which also sets the state. The daily figures are current.
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
         * Check a sub-tenant against bulk sender rules
         * @description Checks messages of the sub-tenant against the bulk sender requirements of Google, Yahoo and Microsoft. Covers the key's environment and the last 30 days, based on the last check of each DNS record, the newest messages as sent, their delivery attempts and the statistics. Sandbox messages produce no delivery evidence.
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
         * Check the workspace against bulk sender rules
         * @description Checks messages of the workspace that have no sub-tenant against the bulk sender requirements of Google, Yahoo and Microsoft. With a sub-tenant's key or `X-Sub-Tenant-Id`, checks that sub-tenant. Covers the key's environment and the last 30 days, based on the last check of each DNS record, the newest messages as sent, their delivery attempts and the statistics. Sandbox messages produce no delivery evidence.
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
        /**
         * List webhook endpoints
         * @description Returns webhook endpoints, newest first.
         */
        get: operations["webhookEndpoints.list"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Creates a webhook endpoint and returns its signing secret, which is not shown again. Users need the role `admin`.
         */
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
        /**
         * Retrieve a webhook endpoint
         * @description Returns a webhook endpoint with its status and failure count. The signing secret is not included.
         */
        get: operations["webhookEndpoints.get"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes a webhook endpoint and its delivery log. Users need the role `admin`.
         */
        delete: operations["webhookEndpoints.delete"];
        options?: never;
        head?: never;
        /**
         * Update a webhook endpoint
         * @description Changes the given fields of a webhook endpoint. When you enable a disabled endpoint, its pending deliveries are sent. Users need the role `admin`.
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
         * Rotate a webhook endpoint's signing secret
         * @description Replaces the signing secret and returns the new one, which is not shown again. Until `previous_secret_until`, deliveries are signed with both secrets. Rotating again within that time discards the older one. Formats with a single signature use the new secret immediately. Users need the role `admin`.
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
         * Test a webhook endpoint
         * @description Sends a test event, which is signed, retried and logged like any other event. Its `data.id` starts with `msg_test_`, `tnt_test_` or a similar prefix and does not refer to an existing object. Users need the role `admin`.
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
         * List a webhook endpoint's deliveries
         * @description Returns the deliveries to a webhook endpoint with all attempts, newest first. An endpoint serves both environments, but only deliveries of the key's environment are returned.
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
         * List a message's webhook deliveries
         * @description Returns the webhook deliveries of a message with all attempts, newest first, for all endpoints visible to the key. Deliveries are deleted together with their endpoint.
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
         * Replay a webhook delivery
         * @description Creates a new delivery of the same event with the same body. `replay_of` is the ID of the original delivery. Users need the role `admin`.
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
         * Replay events to a webhook endpoint
         * @description Delivers the events of a period again, in order and as new deliveries, for the key's environment. Events with a delivery in progress are skipped. A long replay continues in the background with `state` set to `running`. Repeating the request within a minute returns the same replay. An endpoint can have only one replay at a time. Users need the role `admin`.
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
        /**
         * List a webhook endpoint's replays
         * @description Returns the replays of a webhook endpoint with their progress, newest first.
         */
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
         * List events
         * @description Returns the events of the environment. To poll for new events, use `order=asc&after=<ID of the last event seen>`. A page may have fewer than `limit` events while `has_more` is `true`. If a restore from a backup has removed the event you continue from, the request fails with `cursor_ahead`. Resume from `details.resume_after`.
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
         * Stream events
         * @description Sends events as they happen, as server-sent events for EventSource. `id` is the event ID, `event` the event name, and `data` the same JSON as in `GET /v1/events`. After a disconnect, send the last ID as `Last-Event-ID` or `after` to continue without gaps or duplicates. Without either, the stream starts with new events. A `reset` event means that a restore from a backup has undone events you have seen. Its `data` is `{"object":"event_reset","resume_after":"evt_…"}`, and the stream continues after that event.
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
        /**
         * List templates
         * @description Returns templates, newest first. A sub-tenant's key also sees the workspace's templates, and a test key also sees live templates.
         */
        get: operations["templates.list"];
        put?: never;
        /**
         * Create a template
         * @description Creates a template with its first version. The syntax is checked, and the slug is derived from the name if omitted.
         */
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
        /**
         * Retrieve a template
         * @description Returns a template with the content of its current version. You can pass its slug instead of its ID.
         */
        get: operations["templates.get"];
        put?: never;
        post?: never;
        /**
         * Delete a template
         * @description Deletes a template; messages created from it are not affected. Fails with `template_in_use` if a sequence, an unfinished campaign or a list's confirmation email uses the template, unless `force` is `true`. Afterwards, such a sequence pauses at the step that sends the template, and the list sends a plain confirmation email.
         */
        delete: operations["templates.delete"];
        options?: never;
        head?: never;
        /**
         * Update a template
         * @description Changes a template. If the content changes, a new version is created. Messages that have already been created are not affected.
         */
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
        /**
         * List a template's versions
         * @description Returns the versions of a template, newest first.
         */
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
        /**
         * Retrieve a template version
         * @description Returns the content of one version of a template.
         */
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
        /**
         * Compare template versions
         * @description Returns a diff of each part between two versions of a template. By default, compares the current version with the one before it.
         */
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
        /**
         * Restore a template version
         * @description Creates a new version with the content of an earlier one. Has no effect if that is already the current content.
         */
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
         * @description Copies a template between live and test. If the other environment has a template with the same slug and owner, that template gets a new version (200); otherwise a template is created (201). A slug in the path refers to the source environment. A test key can only copy from live to test.
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
        /**
         * Render unsaved content
         * @description Renders content as if it were a template. Nothing is saved or sent.
         */
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
        /**
         * Render a template
         * @description Renders a template as a message would, without sending it. The unsubscribe link is a sample.
         */
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
         * Send a test of a template
         * @description Sends a template to test addresses as one untracked transactional message with the tag `template_test`. The addresses do not have to be contacts, and the unsubscribe link is a sample. With a test key, the message goes to the sandbox.
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
         * List saved blocks
         * @description Returns the workspace's saved blocks and, if requested, those of one sub-tenant. A sub-tenant's key always gets its own blocks and the workspace's.
         */
        get: operations["savedBlocks.list"];
        put?: never;
        /**
         * Create a saved block
         * @description Saves a block of a template design for reuse. A workspace and each of its sub-tenants can save up to 100 blocks per environment.
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
        /**
         * Delete a saved block
         * @description Deletes a saved block. Templates that contain a copy of it are not changed.
         */
        delete: operations["savedBlocks.delete"];
        options?: never;
        head?: never;
        /**
         * Rename a saved block
         * @description Changes the name of a saved block. Its content cannot be changed.
         */
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
         * Erase a contact
         * @description Erases a person's data. Deletes all contacts with the address, including their list memberships, enrollments and overrides; cancels queued messages; and removes content, files, names, tags, metadata and audit trail details from all messages to and from the address. A live key or session covers both environments, a test key only test. Requests limited to a sub-tenant only affect that sub-tenant. Messages shared with other recipients remain for them without the address. Audit trails and previously issued proofs remain verifiable, and suppressions of the address remain. Messages that merely mention the person are not found. You can repeat the request, using the address once the contact is gone.
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
        /**
         * List lists
         * @description Returns lists and segments, newest first.
         */
        get: operations["lists.list"];
        put?: never;
        /**
         * Create a list
         * @description Creates a list that contacts join and leave. If you pass a `filter`, it is a segment whose members are determined by the filter.
         */
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
        /**
         * Preview a segment
         * @description Counts the contacts that match a filter and returns a sample of them. Nothing is saved.
         */
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
        /**
         * Retrieve a list
         * @description Returns a list or segment with its number of contacts.
         */
        get: operations["lists.get"];
        put?: never;
        post?: never;
        /**
         * Delete a list
         * @description Deletes a list. Its contacts are not deleted.
         */
        delete: operations["lists.delete"];
        options?: never;
        head?: never;
        /**
         * Update a list
         * @description Changes the given fields of a list. A list cannot be converted to or from a segment.
         */
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
         * List a list's tags
         * @description Returns the distinct tags of the subscribed members, with the number of members for each. If there are more than 10,000 tags, only the most frequent are returned.
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
        /**
         * Retrieve a list's growth
         * @description Returns the number of contacts who joined and left a list, by day.
         */
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
         * Create or replace a list's publishable key
         * @description Returns a key with which a form on any website can sign up contacts: `POST /v1/subscribe` as `application/x-www-form-urlencoded` with `email`, `name`, `list_key`, `metadata[key]` and `redirect_url`. The previous key stops working.
         */
        post: operations["lists.rotatePublishableKey"];
        /**
         * Revoke a list's publishable key
         * @description Revokes the publishable key of a list. Forms that use it stop working.
         */
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
        /**
         * List a list's contacts
         * @description Returns the members of a list, or the contacts in a segment, newest contact first.
         */
        get: operations["lists.listContacts"];
        put?: never;
        /**
         * Add contacts to a list
         * @description Adds one contact to a list (201, or 200 if it was already a member), or up to 1,000 contacts by ID (200 with the results). Unless you set `resubscribe`, contacts who unsubscribed from the list themselves are not added: a single contact fails with `contact_left_list`, and several are listed in the response. Fails for segments.
         */
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
        /**
         * Remove a contact from a list
         * @description Removes a contact from a list. The contact is not deleted.
         */
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
        /**
         * Subscribe a contact to a list
         * @description Signs up someone at their own request, creating the contact if necessary. If the list uses double opt-in, they are sent a confirmation email first. Requires permission `send`.
         */
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
        /**
         * List imports
         * @description Returns imports, newest first.
         */
        get: operations["imports.list"];
        put?: never;
        /**
         * Create an import
         * @description Imports contacts from CSV or JSON in the background. If a contact with the address exists, it is updated: given fields are overwritten, tags are added, and metadata is merged by key. Columns and fields that mark a contact as unsubscribed, bounced or complained set its status and suppress the address. An existing contact with one of these statuses keeps it, and a contact who unsubscribed from the list is not added again. Invalid rows are rejected individually. With curl, use `--data-binary`.
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
        /**
         * Retrieve an import
         * @description Returns the status, progress and row counts of an import.
         */
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
        /**
         * Cancel an import
         * @description Stops an import. Contacts that are already imported remain.
         */
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
         * Download rejected rows
         * @description Returns the rejected rows of an import as CSV with the columns `line`, `problem` and `row`. Values that a spreadsheet could interpret as a formula are prefixed with an apostrophe.
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
         * Download contacts
         * @description Returns contacts as CSV, JSON or newline-delimited JSON. Importing the file again changes nothing. In CSV, cells that a spreadsheet could interpret as a formula are prefixed with an apostrophe, which the import removes.
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
        /**
         * List exports
         * @description Returns exports, newest first.
         */
        get: operations["exports.list"];
        put?: never;
        /**
         * Create an export
         * @description Exports contacts, messages, events or suppressions to a file in the background. Accepts the same filters as the list operation of that kind. The file has the objects that existed at the time of the request, oldest first. In CSV, cells that a spreadsheet could interpret as a formula are prefixed with an apostrophe.
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
        /**
         * Retrieve an export
         * @description Returns the status and progress of an export.
         */
        get: operations["exports.get"];
        put?: never;
        post?: never;
        /**
         * Delete an export
         * @description Deletes an export and its file, and stops the export if it is running. The file no longer counts toward the workspace's storage quota.
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
        /**
         * Cancel an export
         * @description Stops an export and deletes its file.
         */
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
        /**
         * Download an export file
         * @description Returns the file of a completed export. Supports the `Range` header for partial downloads.
         */
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
         * Apply an action to messages
         * @description Resends or cancels all messages that match a filter, or suppresses their recipients. First finds all matching objects, then changes each of them under the same rules as the operation on a single object. Objects that match later are not changed. With `dry_run`, nothing is changed, and the response (200) has the number of matches and a sample. Each message is resent only once, even if the action is interrupted, and counts toward the plan.
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
         * Apply an action to contacts
         * @description Adds or removes tags on all contacts that match a filter, or suppresses or deletes them. First finds all matching objects, then changes each of them under the same rules as the operation on a single object. Objects that match later are not changed. With `dry_run`, nothing is changed, and the response (200) has the number of matches and a sample.
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
        /**
         * List bulk actions
         * @description Returns the bulk actions of the environment, newest first.
         */
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
        /**
         * Retrieve a bulk action
         * @description Returns the status, progress and failures of a bulk action.
         */
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
        /**
         * Cancel a bulk action
         * @description Stops a bulk action. Changes already made are not undone.
         */
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
        /**
         * List campaigns
         * @description Returns the campaigns of the environment, newest first. Use `view=summary` for compact objects.
         */
        get: operations["campaigns.list"];
        put?: never;
        /**
         * Create a campaign
         * @description Creates a draft, or a scheduled campaign if you pass `scheduled_at`. A draft can omit the list and template. Preflight, test and send then report what is missing (`campaign_incomplete`).
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
        /**
         * Retrieve a campaign
         * @description Returns a campaign with its content, variants, settings and results so far.
         */
        get: operations["campaigns.get"];
        put?: never;
        post?: never;
        /**
         * Delete a campaign
         * @description Deletes a campaign that is not being sent. Its messages are not deleted.
         */
        delete: operations["campaigns.delete"];
        options?: never;
        head?: never;
        /**
         * Update a campaign
         * @description Changes a draft or scheduled campaign. Setting `scheduled_at` schedules a draft or reschedules a campaign. `variants` and `split` are replaced as a whole.
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
         * Duplicate a campaign
         * @description Creates a draft with the list, content, variants, split and settings of a campaign in any state. The schedule and results are not copied. Recipient overrides are only copied if you set `include_overrides`.
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
         * Send a campaign
         * @description Sends a campaign immediately or at the given time. Later changes to its templates do not affect it. The audience is made up of the list's members at the time when sending begins.
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
         * Pause a campaign
         * @description Pauses a campaign that is being sent. No more copies go out until it is resumed, including copies that are already queued.
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
         * Resume a campaign
         * @description Continues a paused campaign. No recipient gets a second copy.
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
         * Cancel a campaign
         * @description Cancels a draft, scheduled or paused campaign and its undelivered copies. This cannot be undone.
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
         * Test a campaign
         * @description Sends a recipient's copy to test addresses as transactional messages with the tag `campaign_test`. They do not count toward the campaign's results. The addresses do not have to be contacts, and the unsubscribe link is a sample.
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
         * Resend a campaign's messages in doubt
         * @description Retries copies that may or may not have arrived because the connection or the server failed after the whole message was sent and before the reply. Each copy is sent again as the same message with the same Message-ID and is not counted again, so a recipient may get it twice. Calling this again has no effect until another attempt ends in doubt. Fails while the campaign is paused.
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
         * Preview a campaign
         * @description Returns each recipient's copy exactly as it is sent, newest contact first. Only the unsubscribe link is a sample. Recipients who would get no copy because they are suppressed, unsubscribed or bounced are omitted. Once sending has begun, the stored copies are returned. `total` is recounted every 30 seconds.
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
         * Run preflight checks for a campaign
         * @description Checks the whole audience, renders a sample of the copies, and requests their links with HEAD and then GET.
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
         * List a campaign's recipients
         * @description Returns the recipients with the status of their copies, newest contact first. Empty until sending begins. Filter by result, for example `did=delivered&did_not=opened` for recipients who received the email but have not opened it. A copy whose message was deleted by retention is only found as `skipped`.
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
        /**
         * List a campaign's overrides
         * @description Returns the copies that were edited for individual recipients, sorted by address.
         */
        get: operations["campaigns.listOverrides"];
        /**
         * Set a recipient's override
         * @description Replaces the content of one recipient's copy in a draft or scheduled campaign. Omitted parts come from the template or variant.
         */
        put: operations["campaigns.putOverride"];
        post?: never;
        /**
         * Delete a recipient's override
         * @description Removes the edits of one recipient's copy, so that it is rendered from the template or variant again.
         */
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
        /**
         * List sequences
         * @description Returns the sequences of the environment, newest first.
         */
        get: operations["sequences.list"];
        put?: never;
        /**
         * Create a sequence
         * @description Creates a sequence and starts enrolling contacts immediately, unless you create it paused.
         */
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
        /**
         * Retrieve a sequence
         * @description Returns a sequence with its trigger, steps and exit conditions.
         */
        get: operations["sequences.get"];
        put?: never;
        post?: never;
        /**
         * Delete a sequence
         * @description Deletes a sequence. Contacts do not reach any further steps. Messages already created are not deleted.
         */
        delete: operations["sequences.delete"];
        options?: never;
        head?: never;
        /**
         * Update a sequence
         * @description Changes a sequence in any status. `steps` is replaced as a whole, and contacts stay at the step with the same ID.
         */
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
        /**
         * Retrieve a sequence's statistics
         * @description Returns the results of the enrollments and of the messages of each step.
         */
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
        /**
         * Pause a sequence
         * @description Stops all steps and new enrollments. Messages that are already queued are still sent.
         */
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
        /**
         * Resume a sequence
         * @description Resumes a paused sequence. Contacts whose next step became due in the meantime continue immediately.
         */
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
         * Resend a sequence's messages in doubt
         * @description Retries messages that may or may not have arrived, as `POST /v1/campaigns/{id}/resend-in-doubt` does for campaigns. Enrollments stay at their current step.
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
         * Retry a sequence's failed enrollments
         * @description Continues each failed enrollment at the step where it failed, once the sequence is active. Contacts who have been enrolled again since are skipped.
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
        /**
         * Enroll a contact
         * @description Enrolls a contact in a sequence, whatever its trigger. A contact who has been through the sequence can be enrolled again; an active enrollment fails with `already_enrolled`. In a paused sequence, the enrollment begins when the sequence is resumed.
         */
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
        /**
         * List a sequence's enrollments
         * @description Returns the enrollments of a sequence, newest first. If you filter by `status`, a page may have fewer than `limit` items while `has_more` is `true`.
         */
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
        /**
         * Cancel an enrollment
         * @description Ends an enrollment. Messages that are already queued are still sent.
         */
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
         * Retrieve statistics
         * @description Returns delivery and engagement statistics for the key's environment. Each event counts on its own day (UTC), so a message that is sent on Monday and opened on Tuesday appears on both days. You can use only one of `tag`, `campaign_id`, `provider` and `group_by` per request. Hourly figures are available for all messages and for campaigns. Tags, providers and hours have no data from before the server began counting them.
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
         * Retrieve a campaign's statistics
         * @description Returns the results of a campaign. Rates, variants, links and series are based on events and about a second behind; `by_status` and `recipients` are current.
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
         * Search the workspace
         * @description Searches messages, contacts and all other objects, and returns a few results of each type. Partial text is matched against the newest 50,000 messages; a full address or an ID finds older messages too.
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
        /**
         * List bounces
         * @description Returns bounced messages, newest first, with the reply of the recipient's mail server.
         */
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
         * Summarize bounces
         * @description Returns the number of bounces by category, provider and day, and separates bounces caused by the sender from the others. Each event counts on its own day (UTC), about a second after it occurs. Relayed mail is included. There are no figures from before the server began counting.
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
         * Retrieve queue totals
         * @description Returns the number of queued messages and the age of the oldest. The figures are up to a few seconds old.
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
         * List queued destinations
         * @description Returns queued messages by recipient domain, largest first, with the state of each domain. Paused destinations are included even if nothing is queued. The figures are up to a few seconds old, so a destination may be repeated or missed while you paginate.
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
         * Retry a destination
         * @description Immediately retries all deferred and held messages for a domain. Messages with a later `send_at`, messages that may already have arrived, and messages whose last reply asked for a delay (greylisting, a stated time or a block list) keep their time. `waiting` has the number of messages in the last group. Limits and pauses still apply. Allowed once per minute and destination; earlier requests fail with 429 and `Retry-After`.
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
         * Purge the queue
         * @description Cancels or bounces queued messages that match all of the filters. Messages that are currently being delivered are not affected. Queued copies of a paused campaign are included. A large queue requires several requests, until `complete` is `true`.
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
         * Pause a destination
         * @description Pauses delivery to a domain for the whole environment, or for the sub-tenant of the key or `X-Sub-Tenant-Id`. Messages are still accepted and wait until delivery is resumed or they reach their own `expires_at`. Messages that are currently being delivered are not stopped.
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
         * Resume a destination
         * @description Resumes delivery to a domain for the same scope as the pause. Resuming a sub-tenant does not end a pause of the whole environment.
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
         * List active limits
         * @description Returns the limits that Mailkeel has set because of replies from receiving mail servers. They apply to all mail on a path and end automatically.
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
         * Remove an active limit
         * @description Removes a limit before it expires. Requires a signed-in admin, or a live key with permission `admin`, of the operator's workspace, not limited to a sub-tenant.
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
         * List sources
         * @description Returns the sending IPs and smarthosts by name, with their pools, warm-up and limits. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant.
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
         * Suspend a source
         * @description Stops sending through a source or smarthost until it is resumed. Takes effect immediately. Mail uses the other members of the pool or the next option of its route, or waits if there is none. SMTP transactions in progress are completed. Suspending a source again replaces the reason and end time. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant, in the live environment.
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
         * Resume a source
         * @description Resumes sending through a suspended source. Has no effect if it is not suspended. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant, in the live environment.
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
         * Reload the configuration
         * @description Reloads sources, pools, routes, smarthosts, shaping, providers and bounce rules from the configuration file and the rule data, as SIGHUP does. Other settings require a restart. If the files contain errors, nothing changes, and the 422 response lists each error with its location. Messages past DATA are completed; others briefly return to the queue. The server keeps accepting mail. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant, in the live environment.
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
         * Trace a destination
         * @description Returns the SMTP transcripts of attempts to a destination as they finish. The first request starts the trace, and it ends 30 seconds after the last one, so poll every second with `after`. The trace has the latest 200 attempts of all workspaces, without message content and credentials. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant, in the live environment.
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
         * List routes
         * @description Returns the routes that the operator has placed ahead of those in the egress file. They are evaluated in this order, newest first, and the first match applies. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant.
         */
        get: operations["routes.list"];
        put?: never;
        /**
         * Create a route
         * @description Creates a route that takes precedence over all others. It applies immediately, including to queued messages. Deferred messages keep their retry time; use `POST /v1/queue/destinations/{domain}/retry` to retry them now. With `tags`, messages whose usual route is unavailable wait for it, as with routes in the egress file. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant, in the live environment.
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
         * Delete a route
         * @description Deletes a route set by the operator. The remaining routes apply immediately. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant, in the live environment.
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
         * Simulate an event for a sandbox message
         * @description Simulates an outcome of a sandbox message or an action of its recipient. Requires a test key, and the message must have been sent and its own simulated steps completed. Audit trail, events, webhooks and statistics work as in live, but simulated events do not suppress addresses or unsubscribe contacts. Fails with 409 `not_sandbox` for a live message and 409 `outcome_impossible` if the event cannot follow the current status.
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
        /**
         * List sandbox addresses
         * @description Returns the addresses of the mailbox simulator and the simulated outcome of each.
         */
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
         * Share a message's delivery
         * @description Creates a link to a page that shows the delivery of a message and the reasons for its status. Anyone with the link can view the page without an API key until the link expires or is deleted. The page is read-only and shows nothing else. The URL is only returned once. The subject and text are hidden unless you set `include_content`.
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
         * Share a sub-tenant's DNS records
         * @description Creates a link to a page with the current DNS records of the sub-tenant's domain. Anyone with the link can view the page without an API key until the link expires or is deleted. The page is read-only and shows nothing else. The URL is only returned once.
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
         * Share a sender's DNS records
         * @description Creates a link to a page with the current DNS records of the domain. Anyone with the link can view the page without an API key until the link expires or is deleted. The page is read-only and shows nothing else. The URL is only returned once. Only available for senders that are domains, because an address has no DNS records.
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
        /**
         * List share links
         * @description Returns share links, including those that ended in the last 30 days.
         */
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
        /**
         * Delete a share link
         * @description Deactivates a share link immediately. It stays in the list as revoked.
         */
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
         * Retrieve host checks
         * @description Returns the results of the checks for reverse DNS, SPF, DKIM, port 25, disk space and more, which run at startup and every hour. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant.
         */
        get: operations["health.getChecks"];
        put?: never;
        /**
         * Run host checks
         * @description Runs all checks and returns the results after a few seconds. Requests during a run get the same result; within a minute after it, they fail with `rate_limited` and `Retry-After`.
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
         * Retrieve system information
         * @description Returns the release and its news, the relay's address, and the limits. `ports` is only returned to the operator, meaning users and keys of the first workspace. `plan` is `null` if the request is limited to a sub-tenant.
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
         * List nodes
         * @description Returns the servers that share the database. Empty with SQLite, where there is only one server. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant.
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
         * Retrieve server activity
         * @description Returns live mail counters, sessions, limits, CPU, memory and database figures. To get rates, subtract the figures of two responses. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant, in the live environment.
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
         * @description Returns contacts, newest first. A page may have fewer than `limit` contacts while `has_more` is `true`.
         */
        get: operations["contacts.list"];
        put?: never;
        /**
         * Create or update a contact
         * @description Creates a contact (201), or updates the contact with the same address (200). Omitted fields of an existing contact are not changed.
         */
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
        /**
         * Retrieve a contact
         * @description Returns a contact. You can pass its URL-encoded address instead of its ID.
         */
        get: operations["contacts.get"];
        put?: never;
        post?: never;
        /**
         * Delete a contact
         * @description Deletes a contact and its list memberships. Suppressions of its address remain. To remove the person's data from messages as well, erase the contact instead.
         */
        delete: operations["contacts.delete"];
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description Changes the given fields of a contact. `tags` and `metadata` are replaced as a whole.
         */
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
         * List a contact's activity
         * @description Returns the audit trail events of messages to and from the contact's address in the key's environment, and its list membership changes, newest first. If there are more than 2,000 messages in either direction, only the newest are included.
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
         * List suppressions
         * @description Returns suppressed addresses, newest first. With `q`, a page may have fewer than `limit` items while `has_more` is `true`.
         */
        get: operations["suppressions.list"];
        put?: never;
        /**
         * Create a suppression
         * @description Suppresses an address (201), or returns the existing suppression (200), which keeps its reason. Without `sub_tenant_id`, the suppression applies to all sub-tenants.
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
         * Export suppressions
         * @description Returns suppressions as CSV or newline-delimited JSON. The file can be imported again. In CSV, cells that a spreadsheet could interpret as a formula are prefixed with an apostrophe, which the import removes.
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
         * Check whether an address is suppressed
         * @description Checks an address for messages of the workspace itself. With `sub_tenant_id`, or with a key pinned to a sub-tenant, checks it for that sub-tenant, including the sub-tenant's own suppressions.
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
         * Delete a suppression
         * @description Lifts the suppression of an address. A contact of the same owner with the status `bounced`, `complained` or `unsubscribed` becomes `active` again.
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
        /**
         * Retrieve the organization
         * @description Returns the settings shared by all workspaces of the organization.
         */
        get: operations["organization.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the organization
         * @description Changes the given settings of the organization. Requires a live key with permission `admin` or a signed-in admin.
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
        /**
         * List API keys
         * @description Returns the API keys of the workspace in both environments, newest first. Users need the role `admin`.
         */
        get: operations["apiKeys.list"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key and returns its secret, which is not shown again. Users need the role `admin`.
         */
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
        /**
         * Retrieve an API key
         * @description Returns an API key without its secret. Users need the role `admin`.
         */
        get: operations["apiKeys.get"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Revokes an API key immediately. Users need the role `admin`.
         */
        delete: operations["apiKeys.revoke"];
        options?: never;
        head?: never;
        /**
         * Update an API key
         * @description Changes the name, allowed IP addresses or expiry of an API key. Changes apply immediately. Users need the role `admin`.
         */
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
         * Rotate an API key
         * @description Creates a key that replaces this one; both work during the overlap. The new key has the same name, permission, environment, sub-tenant, allowed IP addresses and lifetime. Its secret is only returned in this response. Users need the role `admin`.
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
        /**
         * List workspaces
         * @description Returns all workspaces of the organization to users and keys with permission `admin`, and only its own workspace to any other key.
         */
        get: operations["workspaces.list"];
        put?: never;
        /**
         * Create a workspace
         * @description Creates a workspace with a live and a test environment, optionally with API keys. Requires a live key with permission `admin` that is not pinned, or a signed-in admin. The new keys have permission `full`, expire no later than the calling key, and are restricted to the same IP addresses.
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
        /**
         * Retrieve a workspace
         * @description Returns a workspace with its retention settings. Not available to requests limited to a sub-tenant.
         */
        get: operations["workspaces.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a workspace
         * @description Changes the name or retention settings of a workspace. Requires permission `admin`; users need the role `admin`.
         */
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
         * List audit log entries
         * @description Returns every change made through the API, newest first, except sent messages, which have their own audit trails. A key sees its workspace; users and keys with permission `admin` also see the organization. A pinned key only sees its sub-tenant's changes, and a test key only those in test. Requires permission `full`; users need the role `admin`.
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
         * List API requests
         * @description Returns requests to the API for the environment or sub-tenant, newest first. The log keeps up to 300 failures, 60 changes and 30 reads per minute, for 30 days or the time in `MAILKEEL_REQUEST_LOG_KEEP`. Public operations and requests to this list are not logged. Requires permission `full`.
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
         * Preview an import
         * @description Reads the first rows of a file and returns how its columns would be mapped, without changing anything. Sending the first 128 KiB of the file is sufficient.
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
         * Import suppressions
         * @description Suppresses many addresses from a CSV or JSON file. The body can be as large as `MAILKEEL_IMPORT_SIZE_LIMIT`. Entries are stored in groups of 500. If the request is interrupted, stored entries remain, and you can send the same body again. Invalid entries are counted as `failed` and do not affect the others. A body without any valid entry is rejected. With curl, use `--data-binary`.
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
        /** The message was handed to a delivery session for the first time. */
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
        /** The recipient's mail server accepted the message. */
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
        /** The tracking pixel was loaded. */
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
        /** A tracked link was clicked. */
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
        /** The message will not be delivered. See its error for the reason. */
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
        /** The recipient marked the message as spam. */
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
        /** The message could not be sent. */
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
        /** The message was not sent because the address is suppressed. */
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
        /** The address was added to the suppression list. `data.id` is the message that caused it. */
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
        /** A reply was received. `data.id` is the ID of the reply. */
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
        /** An attempt failed and will be retried. Opt-in event. */
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
        /** The recipient unsubscribed. Opt-in event. */
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
        /** A sub-tenant's complaint rate reached the warning level. */
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
        /** A sub-tenant was throttled because of its complaint rate, by default to 60 messages per hour. */
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
        /** A sub-tenant's live mail is on hold until it is resumed. */
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
        /** A sub-tenant's DKIM record no longer resolves and a grace period has begun. */
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
        /** The grace period has ended. Live messages are rejected and queued messages are on hold. */
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
        /** A new DKIM key is waiting for its DNS record. */
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
        /** The new DKIM key is now used for signing. */
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
        /** An address was suppressed, except by an import or bulk action. Opt-in event. */
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
        /** A suppression was deleted. Opt-in event. */
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
        /** A contact was created, except by an import. Opt-in event. */
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
        /** A contact was changed, except by an import or bulk action. Opt-in event. */
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
        /** A contact became unsubscribed or left a list themselves. Opt-in event. */
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
        /** A contact was deleted, except by a bulk action. Opt-in event. */
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
        /** A contact and all of the person's data were erased. Opt-in event. */
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
        /** A domain was verified. `data.id` is the sender, or the sub-tenant whose sending domain it is. Opt-in event. */
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
        /** A domain was not verified in time and is no longer checked automatically. `data.id` is as for domain.verified. Opt-in event. */
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
        /** The DKIM record of a sender domain no longer resolves and a grace period has begun. Opt-in event. */
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
        /** Mail from a sender domain is on hold because the grace period has ended or another workspace has verified the domain. Opt-in event. */
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
        /** The DKIM record of a sender domain resolves again. Opt-in event. */
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
        /** A campaign was scheduled or rescheduled. Opt-in event. */
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
        /** Sending of a campaign has begun. Opt-in event. */
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
        /** A campaign was paused by a user or automatically. See the campaign for the reason. Opt-in event. */
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
        /** A paused campaign was resumed. Opt-in event. */
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
        /** Every message of a campaign has been attempted at least once. Opt-in event. */
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
        /** A campaign was canceled. Opt-in event. */
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
        /** A contact import has finished. Opt-in event. */
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
        /** A contact import has failed. See the import for the reason. Opt-in event. */
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
        /** A contact import was canceled. Opt-in event. */
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
        /** The file of an export is complete. Opt-in event. */
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
        /** An export has failed. See the export for the reason. Opt-in event. */
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
        /** An export was canceled. Opt-in event. */
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
        /** A bulk action has finished. Opt-in event. */
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
        /** A bulk action has failed. See the bulk action for the reason. Opt-in event. */
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
        /** A bulk action was canceled. Opt-in event. */
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
             * @description Start time of the four live mail counters. Counting starts with the first request and ends 30 seconds after the last.
             */
            counted_since: string;
            accepted: number;
            delivered: number;
            deferred: number;
            bounced: number;
            /** @description Open sessions with receiving mail servers. */
            sessions: components["schemas"]["ActivitySessions"][];
            /** @description Active limits on paths. See `GET /v1/queue/overrides`. */
            limits: number;
            suspended_sources: string[];
            /** @description Routes set by the operator. See `GET /v1/routes`. */
            routes: number;
            uptime_seconds: number;
            /** @description CPU time of all threads since the start, in seconds. */
            cpu_seconds: number;
            memory_bytes: number;
            database: components["schemas"]["ActivityDatabase"] | null;
        };
        ActivityDatabase: {
            bytes: number;
            free_bytes: number;
            log_bytes: number;
            /** @description Median daily growth of the stored data over up to 28 days. `null` before the fourth day. */
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
        /** @description A suggested request. If the advice has several, make them in order. */
        AdviceCall: {
            operation: components["schemas"]["AdviceOperation"];
            method: string;
            /** @description The request path with the IDs filled in. */
            path: string;
            /** @description The value of the `X-Sub-Tenant-Id` header. Omit the header if this is `null`. */
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
            /** @description The path of the related dashboard page. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        AlertQuietHours: {
            /** @description A time of day in 24-hour format. */
            from: string;
            /** @description A time of day in 24-hour format. */
            to: string;
            /** @description An IANA time zone name. */
            time_zone: string;
            /** @description Whether to send urgent alerts during quiet hours. */
            urgent_passes: boolean;
        };
        AlertSettings: {
            /** @constant */
            object: "alert_settings";
            mail_alerts: components["schemas"]["AlertName"][];
            webhook: components["schemas"]["AlertWebhook"] | null;
            quiet_hours: components["schemas"]["AlertQuietHours"] | null;
            /** @description Why the server cannot send alerts by email. `null` if it can. */
            mail_problem: string | null;
            /** @description Alerts that are always or sometimes urgent. Urgent alerts can be sent during quiet hours. */
            urgent_alerts: components["schemas"]["AlertName"][];
        };
        AlertSettingsUpdate: {
            mail_alerts?: components["schemas"]["AlertName"][];
            webhook?: {
                /** @description An http or https URL with a public address. */
                url: string;
                /** @description Defaults to `"event"`. */
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
            /** @description The payload format. `event` is an event object that contains the alerts. `slack` is `{"text": "…"}` for Slack and compatible services. */
            format: components["schemas"]["AlertFormat"];
            alerts: components["schemas"]["AlertName"][];
            /** @description The secret that signs every post. Only returned when you set a new URL. */
            secret: string | null;
        };
        Analytics: {
            /** @constant */
            object: "analytics";
            /** @description Number of days (UTC) covered. */
            window_days: number;
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description End of the period (exclusive), which is the end of the last unit.
             */
            to: string;
            unit: components["schemas"]["AnalyticsUnit"];
            sub_tenant_id: string | null;
            type: components["schemas"]["MessageType"] | null;
            /** @description `false` while recent events are still being counted. This takes about a second, or longer after an upgrade. */
            up_to_date: boolean;
            funnel: components["schemas"]["AnalyticsFunnel"];
            rates: components["schemas"]["AnalyticsRates"];
            machine: components["schemas"]["MachineEvents"];
            totals: components["schemas"]["AnalyticsTotals"];
            /** @description Figures per unit (UTC), oldest first. `at` is the start of the unit. */
            series: components["schemas"]["AnalyticsPoint"][];
            group_by: components["schemas"]["AnalyticsGroupBy"] | null;
            /** @description Groups by number of messages sent, highest first, up to 100. `null` without `group_by`. */
            groups: {
                /** @description The tag, ID, provider or type. `null` for messages without a sub-tenant, and for tags beyond the first 1,000 of an environment. */
                key: string | null;
                /** @description The name of the campaign or sub-tenant. */
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
        /** @description Totals by stage. Opens and clicks by people count once per message; bots are excluded. */
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
        /** @description Rates as fractions, rounded to six decimal places. `null` if the denominator is 0. Because each event counts on its own day, a rate can exceed 1 in a short period. */
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
            /** @description Messages accepted, including scheduled and suppressed ones. */
            queued: number;
            /** @description Messages handed to a delivery session. */
            sent: number;
            /** @description Messages accepted by the recipient's mail server. */
            delivered: number;
            /** @description Delivery attempts that will be retried. */
            deferred: number;
            /** @description Messages opened or clicked by a person, each counted once. */
            opened: number;
            /** @description Messages with a link clicked by a person, each counted once. */
            clicked: number;
            /** @description All opens by people. */
            opens: number;
            /** @description All clicks by people. */
            clicks: number;
            /** @description Messages opened by a known bot, each counted once. */
            machine_opened: number;
            /** @description Messages with a link followed by a known bot, each counted once. */
            machine_clicked: number;
            /** @description All opens by known bots. */
            machine_opens: number;
            /** @description All clicks by known bots. */
            machine_clicks: number;
            /** @description Messages that bounced. */
            bounced: number;
            /** @description Messages that bounced because the address does not accept mail. */
            hard_bounced: number;
            /** @description Messages reported as spam. */
            complained: number;
            /** @description Messages through which the recipient unsubscribed from a list or from all email. */
            unsubscribed: number;
            /** @description Messages that a person replied to. */
            replied: number;
            /** @description Messages that could not be sent. */
            failed: number;
            /** @description Messages not sent because the address is suppressed. */
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
            /** @description The ID of the user who created the key, or whose key created it. `null` if the operator created it. The key cannot do more than this user and is revoked when the user leaves the organization. */
            made_by: string | null;
            made_by_email: string | null;
            allowed_ips: string[] | null;
            /** Format: date-time */
            expires_at: string | null;
            /** @description The key that replaces this one. This key works until `expires_at`. */
            replaced_by: string | null;
            /**
             * Format: date-time
             * @description Time of the last request, to the minute. `null` if the key has never been used.
             */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ApiKeyCreate: {
            name: string;
            /** @description The permission. `send`: send messages and read them. `read`: read everything. `full`: full access to the workspace. `admin`: also manage the organization; such a key can only be created by a signed-in user or with `mailkeel admin keys create`. Defaults to `"full"`. */
            permission?: components["schemas"]["KeyPermission"];
            /** @description The environment. Defaults to that of the calling key. */
            mode?: components["schemas"]["Environment"];
            /** @description Pins the key to a sub-tenant, so that it has access to this sub-tenant's objects only. */
            sub_tenant_id?: string | null;
            /** @description An ISO 8601 time with an offset. */
            expires_at?: string | null;
            /** @description IP addresses or CIDR ranges allowed to use the key. */
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
            /** @description The ID of the user who created the key, or whose key created it. `null` if the operator created it. The key cannot do more than this user and is revoked when the user leaves the organization. */
            made_by: string | null;
            made_by_email: string | null;
            allowed_ips: string[] | null;
            /** Format: date-time */
            expires_at: string | null;
            /** @description The key that replaces this one. This key works until `expires_at`. */
            replaced_by: string | null;
            /**
             * Format: date-time
             * @description Time of the last request, to the minute. `null` if the key has never been used.
             */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The secret key. Only returned in this response. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        ApiKeyRotate: {
            /** @description How long the old key keeps working, for example `24h` or `90m`, up to `30d`. `0` ends it immediately. */
            overlap?: string;
        };
        ApiKeyUpdate: {
            name?: string;
            /** @description An ISO 8601 time with an offset. */
            expires_at?: string | null;
            /** @description IP addresses or CIDR ranges allowed to use the key. */
            allowed_ips?: string[] | null;
        };
        /** @description Messages accepted through requests and SMTP relay with this key, counted once per recipient and including sandbox messages. Campaigns and sequences are not attributed to a key. */
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
             * @description Time of the last request of any kind, to the minute. `null` if the key has never been used.
             */
            last_used_at: string | null;
            /** @description Total for the requested days. */
            messages: number;
            /** @description Figures per day, oldest first. Days without messages are omitted. */
            days: components["schemas"]["ApiKeyUsageDay"][];
        };
        ApiKeyUsageDay: {
            /**
             * Format: date
             * @description The day (UTC).
             */
            date: string;
            messages: number;
        };
        ApiKeyUsageList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ApiKeyUsage"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        Attachment: {
            filename: string;
            content_type: string;
            /** @description Size of the file in bytes. */
            size: number;
            content_id: string | null;
            /** @description SHA-256 hash of the file in lowercase hexadecimal. */
            sha256: string;
        };
        AttachmentInput: {
            filename: string;
            /** @description The file in base64 (RFC 4648 section 4), without line breaks. */
            content: string;
            /** @description The media type. Defaults to the type for the file name. */
            content_type?: string;
            /** @description The content ID, without angle brackets, that the HTML references as `cid:` to show the file inline. A file that the HTML does not reference is sent as an attachment. */
            content_id?: string;
        };
        /** @description An attempt to deliver a message. */
        Attempt: {
            /** @constant */
            object: "attempt";
            message_id: string;
            /** @description The attempt number, starting at 1. */
            number: number;
            /** Format: date-time */
            at: string;
            /** @description The result of the attempt. `ambiguous` means that the whole message was sent but no reply was received. `delivered` by a smarthost means that the smarthost accepted the message. */
            outcome: components["schemas"]["AttemptOutcome"];
            phase: string | null;
            /** @description The SMTP reply code. `null` if no reply was received. */
            code: number | null;
            /** @description The enhanced status code (RFC 3463), for example `4.7.1`. */
            enhanced_code: string | null;
            category: components["schemas"]["ErrorCategory"] | null;
            /** @description The reply of the recipient's mail server, or the network error. */
            reply: string;
            /** @description The name of the sending IP or smarthost. */
            source: string;
            via: components["schemas"]["Provider"];
            host: string | null;
            address: string | null;
            local_address: string | null;
            tls: components["schemas"]["AttemptTls"] | null;
            /** @description The TLS policy that applied, whether or not TLS was used. */
            tls_policy?: string | null;
            /** @description Duration of each phase in milliseconds. */
            times: {
                [key: string]: number;
            } | null;
            /** @description Milliseconds from the signed message to the outcome. */
            duration_ms: number | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description The session ID. Attempts with the same ID shared a connection. */
            session_id: string | null;
            conversation: components["schemas"]["AttemptConversation"];
        };
        /** @description The SMTP transcript, line by line. `> ` marks lines sent, `< ` lines received, and `* ` connection events. Passwords are masked and the message itself is omitted. */
        AttemptConversation: {
            /** @description The start of the SMTP session, shared by all of its attempts. */
            opening: string[] | null;
            transaction: string[];
        };
        AttemptList: {
            /** @constant */
            object: "list";
            /** @description Attempts, oldest first. If there are more than 200, only the last 200. */
            data: components["schemas"]["Attempt"][];
            /** @description Whether earlier attempts were omitted. */
            has_more: boolean;
            next_cursor: null;
        };
        /** @enum {string} */
        AttemptOutcome: "delivered" | "deferred" | "bounced" | "failed" | "ambiguous" | "held";
        /** @description TLS details of the session. `null` if the session was not encrypted. */
        AttemptTls: {
            version: string;
            cipher: string;
            verified: boolean;
            /** @description Why the certificate could not be verified. */
            error: string | null;
            /** @description The TLS policy: `dane`, `tlsa_unusable`, `sts`, `configured`, `require_tls` or `opportunistic`. */
            policy: string;
        };
        AuditActor: {
            /** @description The kind of actor. `operator` is someone with access to the server itself. */
            kind: components["schemas"]["AuditActorKind"];
            /** @description The ID of the actor. `null` if the caller is not authenticated. */
            id: string | null;
        };
        /** @enum {string} */
        AuditActorKind: "api_key" | "user" | "operator";
        /** @description An audit log entry: a change and the actor who made it. The entry is written in the same transaction as the change. */
        AuditEntry: {
            id: string;
            /** @constant */
            object: "audit_entry";
            /** @description The `operationId`, for example `auth.signIn`. */
            action: string;
            actor: components["schemas"]["AuditActor"];
            /** @description The object that was changed or created. */
            target_id: string | null;
            /** @description `fields` lists the fields of the request. `values` contains the values that are neither secret nor personal. */
            detail: {
                [key: string]: unknown;
            };
            /** @description The workspace. `null` for changes to the organization. */
            workspace_id: string | null;
            sub_tenant_id: string | null;
            mode: components["schemas"]["Environment"] | null;
            /** @description The client's IP address. Keys of a sub-tenant only see it for their own requests. */
            ip: string | null;
            request_id: string | null;
            /** Format: date-time */
            occurred_at: string;
        };
        AuditEntryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["AuditEntry"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description The cause. `recipient`: the address does not accept mail. `sender`: the sender was rejected because of reputation, authentication, content or rate. `delivery`: the route failed. */
            cause: components["schemas"]["BounceCause"];
            code: number | null;
            enhanced_code: string | null;
            /** @description The text of the server's reply. */
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
            /** @description The cause. `recipient`: the address does not accept mail. `sender`: the sender was rejected because of reputation, authentication, content or rate. `delivery`: the route failed. */
            cause: components["schemas"]["BounceCause"];
            type: components["schemas"]["BounceType"];
            /** @description The provider of the recipients' mail servers. `unknown` if it is not a known provider. */
            provider: string;
            bounces: number;
        };
        BounceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Bounce"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        BounceSummary: {
            /** @constant */
            object: "bounce_summary";
            window_days: number;
            /** @description `false` while recent events are still being counted. */
            up_to_date: boolean;
            total: number;
            causes: components["schemas"]["BounceCauseCounts"];
            /** @description Bounces by category and provider, most frequent first. */
            groups: components["schemas"]["BounceGroup"][];
            /** @description Figures per day (UTC), oldest first. */
            series: components["schemas"]["BounceDay"][];
        };
        /** @enum {string} */
        BounceType: "hard" | "soft";
        /** @description Branding of the pages that recipients see: sign-up, confirmation, preferences, unsubscribe and shared pages. Fields of a sub-tenant that are `null` use the organization's values. */
        Branding: {
            /** @description The name shown in the page header. */
            name: string | null;
            /**
             * Format: uri
             * @description The URL of the logo. It changes when the logo does.
             */
            logo_url: string | null;
            /** @description The color of buttons and links, as `#rrggbb`. */
            color: string | null;
            /**
             * Format: uri
             * @description The URL that the page header links to.
             */
            website_url: string | null;
            /** @description The postal address shown in the page footer. `null` uses the organization's postal address. */
            postal_address: string | null;
            /** @description The language of the pages. `null` uses the visitor's browser language. */
            language: components["schemas"]["PageLanguage"] | null;
            /**
             * Format: uri
             * @description The URL of the privacy policy, linked from a consent line on sign-up pages. `null` omits the line.
             */
            privacy_url: string | null;
        };
        /** @description Branding fields to change. Omitted fields keep their value; `null` clears a field. */
        BrandingUpdate: {
            name?: string | null;
            /** @description A PNG or SVG image in base64, up to 64 KiB, displayed up to 56 pixels high. Mailkeel hosts the image, so the pages make no requests to other hosts. `null` removes it. */
            logo?: string | null;
            /** @description The color of buttons and links. Mailkeel darkens or lightens it if it is not legible on the page background. */
            color?: string | null;
            /** @description An http or https URL. */
            website_url?: string | null;
            postal_address?: string | null;
            /** @description The language of the pages. `null` uses the visitor's browser language. */
            language?: components["schemas"]["PageLanguage"] | null;
            /** @description An http or https URL. */
            privacy_url?: string | null;
        };
        BulkAction: {
            id: string;
            /** @constant */
            object: "bulk_action";
            target: components["schemas"]["BulkActionTarget"];
            action: components["schemas"]["BulkActionName"];
            /** @description The filters of the request. */
            filter: {
                [key: string]: unknown;
            };
            tags: string[];
            /** @description The suppression reason for the action `suppress`. */
            reason: components["schemas"]["SuppressionReason"] | null;
            status: components["schemas"]["TransferStatus"];
            sub_tenant_id: string | null;
            /** @description Number of matching objects. `null` until the search for them is complete. Objects that match later are not changed. */
            total: number | null;
            /** @description Number of processed objects: the sum of the next three fields. */
            processed: number;
            done: number;
            /** @description Objects that were deleted or already in the target state. */
            skipped: number;
            /** @description Objects for which the action failed. See `failures`. */
            failed: number;
            /** @description Failures by error code. */
            failures: components["schemas"]["BulkActionFailure"][];
            /** @description Why the action ended early, as a sentence. */
            error: string | null;
            /** @description Why the job is paused because the server is short of disk space, as a sentence. It resumes automatically. */
            paused_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        /** @description Filters as in the list operation for these objects. Without filters, everything matches. */
        BulkActionContactFilter: {
            /** @description Created at or after this date or ISO 8601 time with an offset. */
            created_after?: string;
            /** @description Created before this date or ISO 8601 time with an offset. */
            created_before?: string;
            /** @description Part of the address or name. One or two letters match only the beginning of the address or of a word in the name. */
            q?: string;
            tag?: string;
            /** @description Comma-separated; matches any. */
            status?: components["schemas"]["ContactStatus"][];
            /** @description Return only subscribed members of this list, or contacts in this segment. */
            list_id?: string;
        };
        BulkActionFailure: {
            /** @description The error code, as returned by the operation on a single object. */
            code: string;
            /** @description The message of the first error with this code. */
            message: string;
            count: number;
        };
        BulkActionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["BulkAction"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description Filters as in the list operation for these objects. Without filters, everything matches. */
        BulkActionMessageFilter: {
            /** @description Created at or after this date or ISO 8601 time with an offset. */
            created_after?: string;
            /** @description Created before this date or ISO 8601 time with an offset. */
            created_before?: string;
            /** @description Comma-separated; matches any. */
            status?: components["schemas"]["MessageStatus"][];
            /** @description A recipient address. Repeat the parameter to match any of several. */
            to?: string[];
            /** @description A sender address. Repeat the parameter to match any of several. */
            from?: string[];
            /** @description Text to find in the subject. */
            subject?: string;
            /** @description Comma-separated; matches any. */
            type?: components["schemas"]["MessageType"][];
            /** @description A tag. Repeat the parameter to match any of several. */
            tag?: string[];
            /** @description Metadata to match, for example `metadata[order]=4711`: a top-level key and its value as text. All conditions must match. */
            metadata?: {
                [key: string]: string;
            };
            thread_id?: string;
            /** @description Return only copies sent by this campaign. */
            campaign_id?: string;
            /** @description Return only messages sent by this sequence. */
            sequence_id?: string;
            /** @description If `true`, return only messages that may or may not have arrived, because the connection or the server failed after the whole message was sent and before the reply. Their status is `sent` and they are not retried automatically. */
            in_doubt?: boolean;
            sub_tenant_id?: string;
            /** @description Whether to return sandbox or live messages. A key has access to one environment, so the other value returns nothing. */
            sandbox?: boolean;
            /** @description Text to find in the recipient or subject. */
            q?: string;
        };
        /** @enum {string} */
        BulkActionName: "resend" | "cancel" | "suppress" | "tag" | "untag" | "delete";
        /** @enum {string} */
        BulkActionOfContacts: "tag" | "untag" | "suppress" | "delete";
        /** @enum {string} */
        BulkActionOfMessages: "resend" | "cancel" | "suppress";
        BulkActionOnContacts: {
            /** @description The action. `delete` does not delete suppressions. */
            action: components["schemas"]["BulkActionOfContacts"];
            filter: components["schemas"]["BulkActionContactFilter"];
            /** @description The tags to add or remove. Required for `tag` and `untag`. */
            tags?: string[];
            /** @description The suppression reason for the action `suppress`. Defaults to `"manual"`. */
            reason?: components["schemas"]["SuppressionReason"];
            /** @description Whether to only count the matches. Nothing is changed, and the response (200) has the number of matches and a sample. Defaults to `false`. */
            dry_run?: boolean;
        };
        BulkActionOnMessages: {
            /** @description The action. `suppress` suppresses the recipients' addresses. */
            action: components["schemas"]["BulkActionOfMessages"];
            filter: components["schemas"]["BulkActionMessageFilter"];
            /** @description The suppression reason for the action `suppress`. Defaults to `"manual"`. */
            reason?: components["schemas"]["SuppressionReason"];
            /** @description Whether to only count the matches. Nothing is changed, and the response (200) has the number of matches and a sample. Defaults to `false`. */
            dry_run?: boolean;
        };
        BulkActionPreview: {
            /** @constant */
            object: "bulk_action_preview";
            target: components["schemas"]["BulkActionTarget"];
            action: components["schemas"]["BulkActionName"];
            /** @description Number of current matches. */
            count: number;
            /** @description Whether `count` is exact. If `false`, there are at least `count` matches, because counting them all would take too long. */
            count_exact: boolean;
            /** @description The newest matches, up to 10. */
            sample: components["schemas"]["BulkActionSample"][];
        };
        BulkActionSample: {
            id: string;
            object: components["schemas"]["BulkActionSampleObject"];
            /** @description The address of the recipient or contact. */
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
            /** @description The senders whom the requirement applies to. `nobody` marks a recommendation. */
            required_of: components["schemas"]["BulkRuleRequiredOf"];
            /** @description `fail` means that the provider may currently reject mail because of this rule. `warn` marks a recommendation, or a requirement that applies only to bulk senders. `unknown` means that there is no evidence. */
            status: components["schemas"]["CheckStatus"];
            /** @description The finding, as a sentence. */
            detail: string;
            /** @description The recommended fix. `null` if nothing needs to be done. */
            remedy: string | null;
            evidence: components["schemas"]["BulkRuleEvidence"];
        };
        /** @description The evidence for the status. */
        BulkRuleEvidence: {
            /** @description Number of messages or DNS records examined. */
            messages: number;
            /** @description The newest message that determines or illustrates the status. */
            message_id: string | null;
            /** Format: date-time */
            observed_at: string | null;
            /** @description The provider's most recent reply that mentions the rule. */
            reply: string | null;
        };
        /** @enum {string} */
        BulkRuleRequiredOf: "all_senders" | "bulk_senders" | "nobody";
        BulkRules: {
            /** @constant */
            object: "bulk_rules";
            /** @description The sub-tenant. `null` for messages of the workspace itself. */
            sub_tenant_id: string | null;
            /** @description The sending domains whose DNS records were checked. */
            domains: string[];
            /** @description The worst status among the checks with evidence. */
            status: components["schemas"]["CheckStatus"];
            window_days: number;
            /** Format: date-time */
            looked_at: string;
            volume: components["schemas"]["BulkVolume"][];
            /** @description Checks, one per rule and provider. */
            data: components["schemas"]["BulkRuleCheck"][];
        };
        BulkVolume: {
            provider: components["schemas"]["MailProvider"];
            /** @description Messages sent in the period. */
            sent: number;
            busiest_day: components["schemas"]["BulkBusiestDay"] | null;
            /** @description Messages per day from which the provider considers you a bulk sender. `null` if it has not published a number. */
            threshold: number | null;
            /** @description Whether any of the last 90 days reached the threshold. Also `true` if there is no threshold. */
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
            /** @description The list the campaign is sent to. `null` if the list was deleted or the draft has none yet. */
            list_id: string | null;
            /** @description The template. `null` if the draft has none yet. */
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
            /** @description Number of recipients in the audience when sending began. 0 before that. */
            total: number;
            by_status: components["schemas"]["CampaignMessagesByStatus"];
            recipients: components["schemas"]["CampaignRecipientCounts"];
            /** @description Skipped recipients by reason. */
            skipped: {
                [key: string]: number;
            };
            /** @description `false` while recent events are still being counted. This takes about a second, or longer after an upgrade. */
            up_to_date: boolean;
            funnel: components["schemas"]["AnalyticsFunnel"];
            rates: components["schemas"]["AnalyticsRates"];
            machine: components["schemas"]["MachineEvents"];
            totals: components["schemas"]["AnalyticsTotals"];
            /** @description Results of the main content (`tag` is `null`), of each variant by tag, and of each random variant by key. */
            variants: components["schemas"]["CampaignVariantAnalytics"][];
            /** @description Links by number of clicks, highest first. If there are more than 1,000 links, only the 1,000 that were clicked first are listed; `other` has the total of the remaining links. */
            links: components["schemas"]["CampaignLink"][];
            /** @description The unit of the series: hours for up to a week of events, otherwise days (UTC). */
            series_unit: components["schemas"]["SeriesUnit"];
            /** @description Figures from the first to the last event, oldest first, for up to 366 days. */
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
            /** @description The list to send to. Optional for a draft but required before sending. */
            list_id?: string | null;
            /** @description The template to send. Optional for a draft but required before sending. */
            template_id?: string | null;
            /** @description The subject. Overrides the template's subject. */
            subject?: string | null;
            from?: components["schemas"]["MailboxInput"] | null;
            reply_to?: components["schemas"]["MailboxInput"] | null;
            segment_tag?: string | null;
            /** @description Up to 4 variants by tag. A contact with the tag gets the variant instead of the main content. The first match wins. */
            variants?: components["schemas"]["CampaignVariantInput"][];
            split?: components["schemas"]["CampaignSplitInput"] | null;
            type?: components["schemas"]["CampaignType"];
            /** @description Whether to track opens. `null` uses the organization's setting. */
            track_opens?: boolean | null;
            /** @description Whether to track clicks. `null` uses the organization's setting. */
            track_clicks?: boolean | null;
            utm?: components["schemas"]["CampaignUtmInput"] | null;
            /** @description Time at which to send the campaign, as an ISO 8601 time with an offset, up to a year ahead. */
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
            /** @description The state of the copy. `held`: waiting for the winner of the test. `created`: a message exists. `skipped` or `failed`: no copy was sent; if `message_id` is set, the copy was created and then canceled. */
            state: components["schemas"]["CampaignRecipientState"];
            /** @description The reason for `skipped` or `failed`. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
            /** @description Number of recipients on all pages, up to a few seconds old: the audience without filters, or the number in the funnel if `did` has a single value and is the only filter. `null` with other filters. */
            total: number | null;
        };
        CampaignDuplicate: {
            name?: string;
            /** @description Whether to also copy the overrides of individual recipients. Defaults to `false`. */
            include_overrides?: boolean;
        };
        CampaignLink: {
            /** Format: uri */
            url: string;
            /** @description All clicks by people. */
            clicks: number;
            /** @description Messages in which a person clicked the link. */
            people: number;
            machine_clicks: number;
        };
        CampaignList: {
            /** @constant */
            object: "list";
            data: (components["schemas"]["Campaign"] | components["schemas"]["CampaignSummary"])[];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description Messages by their current status. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description Replaces the stored override of this recipient. Omitted parts come from the template or variant. If you change the HTML, the plain text is derived from it. */
        CampaignOverridePut: {
            email: string;
            subject?: string | null;
            html?: string | null;
        };
        CampaignPreflight: {
            /** @constant */
            object: "campaign_preflight";
            campaign_id: string;
            /** @description Whether the campaign is ready to be sent. `true` if no check failed. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
            /** @description Number of recipients who will get or have got a copy. */
            total: number;
        };
        /** @description Why a paused campaign was paused automatically. For a campaign that is `sending`, `quota_exceeded` means that the plan's sending limit has been reached. The remaining recipients wait, and the campaign continues automatically when the plan allows more. */
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
            /** @description The tag of the variant the recipient gets. `null` if none of their tags has a variant. */
            variant_tag: string | null;
            /** @description The tag or the key of the random variant. `null` for the main content. */
            variant: string | null;
            template_name: string;
            edited: boolean;
            /** @description Whether the recipient will get the winner of the random test. Until the winner is selected, the main content is shown. */
            awaits_winner: boolean;
            subject: string | null;
            html: string | null;
            text: string | null;
            problem: components["schemas"]["CampaignRecipientProblem"] | null;
        };
        /** @description Recipients by state: copy created, skipped, copy failed, or waiting. */
        CampaignRecipientCounts: {
            created: number;
            skipped: number;
            failed: number;
            waiting: number;
        };
        /** @enum {string} */
        CampaignRecipientDeed: "delivered" | "opened" | "clicked" | "bounced" | "complained" | "replied" | "unsubscribed" | "skipped";
        /** @description Why no copy can be created for this recipient. Other recipients are not affected. */
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
            /** @description Number of messages queued again. */
            messages: number;
        };
        CampaignSend: {
            /** @description Time at which to send the campaign, as an ISO 8601 time with an offset, up to a year ahead. */
            scheduled_at?: string | null;
        };
        CampaignSplit: {
            variants: components["schemas"]["CampaignSplitVariant"][];
            test_percent: number;
            metric: components["schemas"]["SplitMetric"];
            wait_minutes: number;
            /** @description The key of the winning variant. `null` until the winner is selected. */
            winner: string | null;
        };
        /** @description Settings of a random A/B test. The variant with the highest open or click rate by people wins; in a tie, the first. Recipients who match a variant by tag are not part of the test. */
        CampaignSplitInput: {
            variants: components["schemas"]["CampaignSplitVariantInput"][];
            /** @description Percentage of the audience that receives the test variants. Everyone else gets the winner. Defaults to `100`. */
            test_percent?: number;
            /** @description Defaults to `"clicked"`. */
            metric?: components["schemas"]["SplitMetric"];
            /** @description Minutes between the last test copy and the selection of the winner. Defaults to `240`. */
            wait_minutes?: number;
        };
        CampaignSplitVariant: {
            key: string;
            template_id: string | null;
            subject: string | null;
        };
        CampaignSplitVariantInput: {
            /** @description The name of the variant in statistics. */
            key: string;
            template_id?: string | null;
            /** @description The subject. Overrides the template's subject. */
            subject?: string | null;
        };
        /** @description Results of the campaign, up to a few seconds old. */
        CampaignStats: {
            /** @description Number of recipients in the audience, once sending has begun. */
            recipients: number;
            queued: number;
            sent: number;
            delivered: number;
            /** @description Number of people who opened the email. Automated opens are not counted. */
            opened: number;
            /** @description Number of people who clicked a link. Automated clicks are not counted. */
            clicked: number;
            bounced: number;
            complained: number;
            unsubscribed: number;
            /** @description Recipients without a copy because they were suppressed, unsubscribed, bounced or no longer on the list. */
            skipped: number;
            /** @description Recipients whose copy could not be created or sent. */
            failed: number;
            /** @description Recipients whose copy may or may not have arrived. Resend these with `resend-in-doubt`. Always current. */
            in_doubt: number;
        };
        /** @enum {string} */
        CampaignStatus: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled";
        CampaignSummary: {
            id: string;
            name: string;
            type: components["schemas"]["CampaignType"];
            status: components["schemas"]["CampaignStatus"];
            /** @description The template. `null` if the draft has none yet. */
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
            /** @description The recipient whose copy is sent. Defaults to the newest recipient. */
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
            /** @description The recipient whose copy was sent. */
            email: string;
            messages: components["schemas"]["CampaignTestMessage"][];
        };
        /** @enum {string} */
        CampaignType: "marketing" | "sales";
        CampaignUpdate: {
            name?: string;
            /** @description The list to send to. Optional for a draft but required before sending. */
            list_id?: string | null;
            /** @description The template to send. Optional for a draft but required before sending. */
            template_id?: string | null;
            /** @description The subject. Overrides the template's subject. */
            subject?: string | null;
            from?: components["schemas"]["MailboxInput"] | null;
            reply_to?: components["schemas"]["MailboxInput"] | null;
            segment_tag?: string | null;
            /** @description Up to 4 variants by tag. A contact with the tag gets the variant instead of the main content. The first match wins. */
            variants?: components["schemas"]["CampaignVariantInput"][];
            split?: components["schemas"]["CampaignSplitInput"] | null;
            type?: components["schemas"]["CampaignType"];
            /** @description Whether to track opens. `null` uses the organization's setting. */
            track_opens?: boolean | null;
            /** @description Whether to track clicks. `null` uses the organization's setting. */
            track_clicks?: boolean | null;
            utm?: components["schemas"]["CampaignUtmInput"] | null;
            /** @description Time at which to send the campaign, as an ISO 8601 time with an offset, up to a year ahead. */
            scheduled_at?: string | null;
        };
        /** @description UTM parameters. Parameters that are not set are `null`. */
        CampaignUtm: {
            source: string | null;
            medium: string | null;
            campaign: string | null;
            content: string | null;
            term: string | null;
        };
        /**
         * @description UTM parameters to add to the links of every copy. The placeholders `{{campaign_name}}`, `{{campaign_id}}` and `{{variant}}` are supported. Parameters that a link already has are not changed. `null` adds none.
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
            /** @description The subject. Overrides the template's subject. */
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
            /** @description Your own key-value data, up to 16 KiB of JSON. */
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
        /** @description An action of a contact, or a change to it. */
        ContactActivity: {
            /** @constant */
            object: "contact_activity";
            /**
             * @description The audit trail event of a message, or a list membership change. `list_requested` means that the contact signed up but has not confirmed yet.
             * @enum {string}
             */
            event: "queued" | "sending" | "sent" | "deferred" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "unsubscribed" | "received" | "auto_replied" | "rescheduled" | "list_joined" | "list_requested" | "list_left";
            /** Format: date-time */
            occurred_at: string;
            message: components["schemas"]["ContactActivityMessage"] | null;
            list: components["schemas"]["ContactActivityPlace"] | null;
            actor: components["schemas"]["Actor"] | null;
            /** @description Details of the audit trail entry. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description Whether the erasure is complete. If `false`, some copies are currently being delivered; repeat the request after a minute. Repeating it is always safe. */
            complete: boolean;
            erased: components["schemas"]["ContactErasureCounts"];
            kept: components["schemas"]["ContactErasureKept"];
        };
        ContactErasureCounts: {
            contacts: number;
            messages_sent: number;
            messages_received: number;
            /** @description Queued messages that were canceled. */
            messages_canceled: number;
            /** @description Deleted files that no other message uses. */
            attachments: number;
            threads: number;
            /** @description Audit trail entries whose details were removed. The entries themselves remain. */
            events: number;
            campaign_recipients: number;
            list_unsubscribes: number;
            /** @description Received messages, including bounce reports about messages to the contact. */
            inbound_messages: number;
        };
        ContactErasureKept: {
            /** @description Suppressions of the address that remain, so that it gets no further email. */
            suppressions: number;
        };
        ContactExportCreate: {
            /**
             * @description The kind of export. Optional for contacts.
             * @constant
             */
            kind?: "contacts";
            /** @description Defaults to `"csv"`. */
            format?: components["schemas"]["TransferFormat"];
            sub_tenant_id?: string | null;
            /** @description Return only subscribed members of this list. */
            list_id?: string;
            tag?: string;
            /** @description Part of the address or name. One or two letters match only the beginning of the address or of a word in the name. */
            q?: string;
            /** @description One status, or a list that matches any of several. */
            status?: components["schemas"]["ContactStatus"] | components["schemas"]["ContactStatus"][];
            /** @description Created at or after this date or ISO 8601 time with an offset. */
            created_after?: string;
            /** @description Created before this date or ISO 8601 time with an offset. */
            created_before?: string;
        };
        ContactList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Contact"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
            /** @description Number of matching contacts on all pages. */
            total: number;
            /** @description Whether `total` is exact. If `false`, `total` is a lower bound, because counting would examine more than 2,000 contacts. For a large segment, `total` is then the last count. */
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
            /** @description Your own key-value data, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description The status. `unsubscribed` suppresses the address for all email. `active` lifts a suppression with the reason `unsubscribe`; use it only with the person's consent. It fails with `recipient_suppressed` if the suppression has another reason.
             * @enum {string}
             */
            status?: "active" | "unsubscribed";
        };
        ContactUpsert: {
            email: string;
            name?: string | null;
            phone?: string | null;
            tags?: string[];
            /** @description Your own key-value data, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description The status. `unsubscribed` suppresses the address for all email. `active` lifts a suppression with the reason `unsubscribe`; use it only with the person's consent. It fails with `recipient_suppressed` if the suppression has another reason.
             * @enum {string}
             */
            status?: "active" | "unsubscribed";
            sub_tenant_id?: string | null;
        };
        ContentRender: {
            subject?: string | null;
            /** @description The HTML body. Placeholder values are HTML-escaped in this part only. Up to 262,144 characters. Send files as attachments and host images on a server. */
            html?: string | null;
            /** @description The plain text body. Derived from the HTML if omitted. Up to 262,144 characters. Send files as attachments and host images on a server. */
            text?: string | null;
            inline_css?: boolean;
            /** @description Whether to add the footer of campaign emails with the postal address and unsubscribe link. */
            footer?: boolean;
            variables?: {
                [key: string]: unknown;
            };
            /** @description The ID or address of a saved contact whose fields are used for placeholders. */
            contact?: string;
        };
        DestinationTrace: {
            /** @constant */
            object: "destination_trace";
            domain: string;
            /** @description Attempts, oldest first. */
            data: components["schemas"]["TracedAttempt"][];
            /** @description The value of `after` for the next request. */
            next: number;
            /** @description Number of attempts that were discarded before they were requested. */
            missed: number;
        };
        DeviceSignIn: {
            /** @constant */
            object: "device_sign_in";
            user_code: string;
            client_name: string;
            /** @description The IP address of the program. */
            ip: string | null;
            /** @description The environment that the program requests. */
            mode: components["schemas"]["Environment"];
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        DeviceSignInApprove: {
            /** @description The environment of the key. Defaults to the one that the program requests. */
            mode?: components["schemas"]["Environment"];
            /** @description Defaults to `"full"`. */
            permission?: components["schemas"]["KeyPermission"];
            /** @description The name of the key. Defaults to the name of the program. */
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
            /** @description The name of the program. It is shown to the user and becomes the default name of the key. */
            client_name: string;
            /** @description The environment that the program requests. Defaults to `"test"`. */
            mode?: components["schemas"]["Environment"];
        };
        DeviceSignInStarted: {
            /** @constant */
            object: "device_sign_in";
            /** @description The secret with which the program calls `auth.pollDevice`. */
            device_code: string;
            /** @description The code that the user compares. */
            user_code: string;
            /**
             * Format: uri
             * @description The URL of the page on which the user enters the code.
             */
            verification_uri: string;
            /**
             * Format: uri
             * @description The URL of the same page with the code filled in.
             */
            verification_uri_complete: string;
            /** @description Lifetime of the codes in seconds. */
            expires_in: number;
            /** @description Minimum number of seconds between two polls. */
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
            /** @description `pending`: the record has not been found in DNS. `published`: the record has been found and the waiting period is running. `active`: the key signs. `retiring`: another key signs, and the record stays for mail in transit. `revoked`: the record must be emptied. `retired`: the record can be removed. */
            state: components["schemas"]["DkimKeyState"];
            /** @description The host name at which verifiers look up the key. */
            host: string;
            /** @description The value of the TXT record or the target of its alias. `null` if no record is needed anymore. */
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
             * @description How new keys are published in DNS. Applies to the new keys and to all later keys. Omit to keep the current mode.
             * @enum {string}
             */
            mode?: "txt" | "cname";
            /** @description Set to `true` if the current keys may be compromised. They stop signing immediately and their records are emptied. Mail waits until the new records are found in DNS. */
            emergency?: boolean;
        };
        /** @description A rotation in progress. New keys replace the current ones when it is complete. */
        DkimRotation: {
            /**
             * @description The state of the key that will sign next.
             * @enum {string}
             */
            state: "pending" | "published";
            /** Format: date-time */
            started_at: string;
            selector: string;
            /**
             * @description `dns_record` if the new key's record has not been found yet; `settling` if it has been found but not for long enough.
             * @enum {string}
             */
            waiting_for: "dns_record" | "settling";
        };
        /** @enum {string} */
        DmarcClass: "ours_aligned" | "ours_not_aligned" | "forwarded" | "foreign";
        /** @description Messages by class. `ours_aligned` and `ours_not_aligned` were sent by this server and passed or failed DMARC, `forwarded` were forwarded by a third party, and `foreign` were not sent by this server. */
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
            /** @description The domain that sent the report. Proven only if `authenticated` is `true`. */
            reporter: string;
            report_id: string;
            /** @description Whether the report email proves its sender. Summaries omit unauthenticated reports by default. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
                /** @description Messages that this server sent on that day or to that provider, for all domains. `null` if there is no count for the group. */
                sent: number | null;
            }[];
            has_more_groups: boolean;
            sentences: string[];
        };
        /** @description Whether the signing key's DKIM record was found before and is now missing or wrong. Sending continues for a grace period. After that, the status is `suspended` until the record is correct again. `detail` also mentions if another workspace has verified the domain. */
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
            /** @description The full host name without a trailing dot. */
            host: string;
            /** @description The value to publish: the complete text or the target host. `null` if the status is `host_unnamed`. */
            value: string | null;
            /** @description The priority of an MX record. */
            priority?: number;
            /** @description Whether the status `verified` requires this record. */
            required: boolean;
            /** @description The result of the last check. `pending` means that there is no answer yet. `host_unnamed` means that the record would refer to this server, which has no public host name yet. Such a record is not checked or counted. */
            status: components["schemas"]["DnsRecordStatus"];
            /** @description Values found by the last check. */
            found: string[];
            /** @description The setting that the operator must configure before a `host_unnamed` record has a value. */
            missing_setting: components["schemas"]["DnsNameSetting"] | null;
        };
        DnsRecordAdvice: {
            purpose: components["schemas"]["DnsRecordPurpose"];
            type: components["schemas"]["DnsRecordType"];
            /** @description The full host name without a trailing dot. */
            host: string;
            /** @description The value to publish: the complete text or the target host. `null` if the status is `host_unnamed`. */
            value: string | null;
            /** @description The priority of an MX record. */
            priority?: number;
            /** @description Whether the status `verified` requires this record. */
            required: boolean;
            /** @description The result of the last check. `pending` means that there is no answer yet. `host_unnamed` means that the record would refer to this server, which has no public host name yet. Such a record is not checked or counted. */
            status: components["schemas"]["DnsRecordStatus"];
            /** @description Values found by the last check. */
            found: string[];
            /** @description The setting that the operator must configure before a `host_unnamed` record has a value. */
            missing_setting: components["schemas"]["DnsNameSetting"] | null;
            /** @description The recommended fix. `null` if the record is correct. */
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
            /** @description Why the enrollment ended: `goal`, `exit` (a step), `suppressed` or an event such as `replied`. For a failed enrollment, the error code. */
            exit_reason: string | null;
            /** @description The ID of the current step. `null` once the enrollment has ended. */
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
            /** @description Template variables for this enrollment. They override the variables of the steps and the contact's fields. */
            variables?: {
                [key: string]: unknown;
            };
        };
        EnrollmentList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Enrollment"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        EnrollmentStatus: "active" | "completed" | "exited" | "canceled" | "failed";
        /** @enum {string} */
        Environment: "live" | "test";
        /** @description The response to every rejected or failed request. */
        Error: {
            error: components["schemas"]["ErrorDetails"];
        };
        /** @enum {string} */
        ErrorCategory: "invalid_recipient" | "inactive_mailbox" | "bad_domain" | "quota" | "greylist" | "rate_limited" | "spam_block" | "spam_content" | "auth_failed" | "policy" | "tls" | "too_large" | "network" | "protocol" | "expired" | "ambiguous" | "unknown" | "template" | "signing" | "routing" | "tenant" | "sender";
        /** @enum {string} */
        ErrorCode: "bad_request" | "invalid_cursor" | "cursor_ahead" | "idempotency_key_mismatch" | "sub_tenant_mismatch" | "unauthorized" | "sign_in_failed" | "totp_required" | "quota_exceeded" | "forbidden" | "session_required" | "csrf_token_invalid" | "address_not_allowed" | "tenant_suspended" | "not_found" | "recipient_not_in_audience" | "method_not_allowed" | "request_timeout" | "conflict" | "precondition_failed" | "last_owner" | "already_member" | "idempotency_key_reused" | "idempotency_key_in_use" | "idempotency_answer_lost" | "domain_taken" | "list_is_segment" | "contact_left_list" | "slug_taken" | "message_not_cancelable" | "not_sandbox" | "outcome_impossible" | "campaign_already_sent" | "campaign_incomplete" | "campaign_canceled" | "template_in_use" | "already_enrolled" | "recipient_suppressed" | "file_quota_exceeded" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "recipient_not_a_contact" | "postal_address_required" | "subject_required" | "content_required" | "sender_required" | "sender_not_verified" | "template_invalid" | "template_not_found" | "list_not_found" | "variant_limit" | "sub_tenant_not_found" | "webhook_url_not_allowed" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable" | "database_damaged" | "read_too_slow";
        ErrorDetails: {
            /** @description The class of the error, one per HTTP status. */
            type: components["schemas"]["ErrorType"];
            /** @description A code for the exact reason. */
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence for developers that explains the error and how to fix it. */
            message: string;
            /** @description The request field that caused the error. */
            param?: string;
            /** @description Additional data. For a `validation_error`, `fields` is a list of `{path, message}`. */
            details?: {
                [key: string]: unknown;
            };
            /** @description The request ID, which identifies the request in the log. Also sent as `X-Request-Id`. */
            request_id: string;
        };
        /** @enum {string} */
        ErrorType: "bad_request" | "unauthorized" | "quota_exceeded" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable";
        /** @description An event of a message, a sub-tenant or another record. */
        Event: {
            /** @description The event ID. Also in webhook delivery records as `event_id`. */
            id: string;
            /** @constant */
            object: "event";
            event: components["schemas"]["FeedEventName"];
            /** Format: date-time */
            occurred_at: string;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["EventData"];
            /** @description The tags of the message. */
            tags: string[];
            /** @description Your own key-value data, up to 16 KiB of JSON. */
            metadata: {
                [key: string]: unknown;
            };
            sub_tenant_id: string | null;
            sandbox: boolean;
        };
        /** @description The same data as in the webhook body, plus the details of the audit trail entry. */
        EventData: {
            /** @description The ID of the record that the event is about: a message, or another record depending on the event name. */
            id: string;
            event: components["schemas"]["FeedEventName"];
            /** Format: date-time */
            occurred_at: string;
            /** @description Details of the audit trail entry, for example the reply of the recipient's mail server. */
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
            /** @description Defaults to `"csv"`. */
            format?: components["schemas"]["TransferFormat"];
            sub_tenant_id?: string | null;
            /** @description Matches any of these values. */
            events?: components["schemas"]["FeedEventName"][];
            /** @description The ID of an event. Only later events are exported. */
            after?: string;
        };
        EventList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Event"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        Explanation: {
            /** @constant */
            object: "explanation";
            message_id: string;
            status: components["schemas"]["MessageStatus"];
            /**
             * @description A stable code: a situation, or `deferred_`, `bounced_` or `expired_` followed by a cause.
             * @example deferred_greylisted
             */
            code: components["schemas"]["ExplanationCode"];
            /** @description A one-sentence summary. */
            summary: string;
            /** @description The steps from acceptance until now, oldest first. If there are more than 100, the middle ones are omitted. */
            chain: components["schemas"]["ExplanationStep"][];
            next: components["schemas"]["ExplanationNext"] | null;
            /** @description Suggested actions, most useful first. */
            advice: components["schemas"]["ExplanationAdvice"][];
        };
        ExplanationAdvice: {
            code: components["schemas"]["AdviceCode"];
            text: string;
            calls: components["schemas"]["AdviceCall"][];
        };
        /** @enum {string} */
        ExplanationCode: "delivered" | "opened" | "handed_to_smarthost" | "sent" | "received" | "complained" | "canceled" | "canceled_contact_deleted" | "canceled_removed_from_list" | "canceled_not_in_segment" | "simulated" | "scheduled" | "waiting_turn" | "in_delivery" | "in_delivery_unanswered" | "worker_lost" | "lost_from_queue" | "may_have_arrived" | "suppression_pending" | "suppressed_bounce" | "suppressed_complaint" | "suppressed_unsubscribe" | "suppressed_manual" | "suppressed_left_list" | "suppression_lifted" | "campaign_stopped" | "tenant_suspended" | "tenant_paused" | "tenant_deleted" | "tenant_throttled" | "held_signing" | "held_sender" | "held_fault" | "outbound_held" | "destination_paused" | "destination_paused_by_workspace" | "destination_paused_by_sub_tenant" | "destination_suspended" | "tenant_destination_suspended" | "circuit_open" | "rate_limited" | "concurrency_limited" | "warm_up" | "source_unreachable" | "source_suspended" | "no_source" | "failed_too_large" | "failed_template" | "failed_signing" | "failed_sender" | "failed_routing" | "failed_fault" | "deferred_no_such_domain" | "deferred_null_mx" | "deferred_mail_loop" | "deferred_other_address_family" | "deferred_no_usable_host" | "deferred_dns_failure" | "deferred_connection_refused" | "deferred_connect_timeout" | "deferred_network_unreachable" | "deferred_no_greeting" | "deferred_session_refused" | "deferred_too_many_connections" | "deferred_connection_lost" | "deferred_reply_timeout" | "deferred_smarthost_login" | "deferred_tls_handshake" | "deferred_tls_required" | "deferred_tls_sts" | "deferred_tls_dane" | "deferred_tls_wanted_by_peer" | "deferred_require_tls" | "deferred_not_delivered_onward" | "deferred_ambiguous" | "deferred_greylisted" | "deferred_put_off" | "deferred_host_trouble" | "deferred_rate_limited" | "deferred_mailbox_full" | "deferred_server_full" | "deferred_no_such_mailbox" | "deferred_mailbox_disabled" | "deferred_domain_takes_no_mail" | "deferred_blocklisted" | "deferred_no_reverse_dns" | "deferred_poor_reputation" | "deferred_content_refused" | "deferred_malware_found" | "deferred_spf_failed" | "deferred_dkim_failed" | "deferred_dmarc_failed" | "deferred_auth_failed" | "deferred_relaying_denied" | "deferred_sender_refused" | "deferred_policy" | "deferred_too_large" | "deferred_smtputf8_missing" | "deferred_eight_bit_missing" | "deferred_protocol" | "deferred_unknown" | "bounced_no_such_domain" | "bounced_null_mx" | "bounced_mail_loop" | "bounced_other_address_family" | "bounced_no_usable_host" | "bounced_dns_failure" | "bounced_connection_refused" | "bounced_connect_timeout" | "bounced_network_unreachable" | "bounced_no_greeting" | "bounced_session_refused" | "bounced_too_many_connections" | "bounced_connection_lost" | "bounced_reply_timeout" | "bounced_smarthost_login" | "bounced_tls_handshake" | "bounced_tls_required" | "bounced_tls_sts" | "bounced_tls_dane" | "bounced_tls_wanted_by_peer" | "bounced_require_tls" | "bounced_not_delivered_onward" | "bounced_ambiguous" | "bounced_greylisted" | "bounced_put_off" | "bounced_host_trouble" | "bounced_rate_limited" | "bounced_mailbox_full" | "bounced_server_full" | "bounced_no_such_mailbox" | "bounced_mailbox_disabled" | "bounced_domain_takes_no_mail" | "bounced_blocklisted" | "bounced_no_reverse_dns" | "bounced_poor_reputation" | "bounced_content_refused" | "bounced_malware_found" | "bounced_spf_failed" | "bounced_dkim_failed" | "bounced_dmarc_failed" | "bounced_auth_failed" | "bounced_relaying_denied" | "bounced_sender_refused" | "bounced_policy" | "bounced_too_large" | "bounced_smtputf8_missing" | "bounced_eight_bit_missing" | "bounced_protocol" | "bounced_unknown" | "expired_no_such_domain" | "expired_null_mx" | "expired_mail_loop" | "expired_other_address_family" | "expired_no_usable_host" | "expired_dns_failure" | "expired_connection_refused" | "expired_connect_timeout" | "expired_network_unreachable" | "expired_no_greeting" | "expired_session_refused" | "expired_too_many_connections" | "expired_connection_lost" | "expired_reply_timeout" | "expired_smarthost_login" | "expired_tls_handshake" | "expired_tls_required" | "expired_tls_sts" | "expired_tls_dane" | "expired_tls_wanted_by_peer" | "expired_require_tls" | "expired_not_delivered_onward" | "expired_ambiguous" | "expired_greylisted" | "expired_put_off" | "expired_host_trouble" | "expired_rate_limited" | "expired_mailbox_full" | "expired_server_full" | "expired_no_such_mailbox" | "expired_mailbox_disabled" | "expired_domain_takes_no_mail" | "expired_blocklisted" | "expired_no_reverse_dns" | "expired_poor_reputation" | "expired_content_refused" | "expired_malware_found" | "expired_spf_failed" | "expired_dkim_failed" | "expired_dmarc_failed" | "expired_auth_failed" | "expired_relaying_denied" | "expired_sender_refused" | "expired_policy" | "expired_too_large" | "expired_smtputf8_missing" | "expired_eight_bit_missing" | "expired_protocol" | "expired_unknown";
        /** @description The next automatic step and its time. `null` if there is none or its time is not known. */
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
            /** @description Total number of rows. `null` until they have been counted. */
            total: number | null;
            /** @description Number of rows processed. */
            processed: number;
            /** @description Why the job failed, as a sentence. */
            error: string | null;
            /** @description Why the job is paused because the server is short of disk space, as a sentence. It resumes automatically. */
            paused_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description The tag filter of a contact export. */
            tag: string | null;
            /** @description The status filter of a contact export, if it has a single value. */
            contact_status: string | null;
            /** @description The filters of the request. */
            filters: {
                [key: string]: unknown;
            };
            /** @description Bytes written to the file so far. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description The checked object, for example an address, host or DNS name. */
            subject: string | null;
            /** @description The result of the check. `unknown` means that the check had no result. */
            status: components["schemas"]["CheckStatus"];
            observed: string;
            expected: string;
            /** @description The recommended fix. `null` if the check passes. */
            remedy: string | null;
        };
        HealthReport: {
            /** @constant */
            object: "health_report";
            /** @description The worst status of all checks. `unknown` before the first run. */
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
            /** @description Total number of rows. `null` until they have been counted. */
            total: number | null;
            /** @description Number of rows processed. */
            processed: number;
            /** @description Why the job failed, as a sentence. */
            error: string | null;
            /** @description Why the job is paused because the server is short of disk space, as a sentence. It resumes automatically. */
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
            /** @description Contacts created. */
            created: number;
            /** @description Contacts that were updated or joined the list. */
            updated: number;
            /** @description Contacts already identical to the row. */
            unchanged: number;
            /** @description Rows skipped because `mode` excludes them: existing contacts with `create_only`, new contacts with `update_only`. */
            skipped: number;
            /** @description Rows that mark the contact as unsubscribed, bounced or complained. Their status is set and the address is suppressed; in a dry run they are only counted. */
            opted_out: number;
            /** @description Columns found in a dry run that look like a status but would become custom fields. Map each of them in `columns`. */
            warnings: string[];
            /** @description Contacts who had unsubscribed from the list and were not added again. Also included in the counts above. */
            not_rejoined: number;
            /** @description Rejected rows. Download the report of rejected rows for details. */
            failed: number;
        };
        /** @description A contact. Unknown fields are stored as metadata. */
        ImportItem: {
            email: string;
            name?: string | null;
            phone?: string | null;
            tags?: string[];
            /** @description Your own key-value data, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            status?: string;
        };
        ImportList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Import"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        ImportMode: "upsert" | "create_only" | "update_only";
        ImportPreview: {
            /** @constant */
            object: "import_preview";
            format: components["schemas"]["TransferFormat"];
            /** @description The encoding, for example `utf-8`, `utf-16le` or `windows-1252`. */
            encoding: string;
            /** @description The separator. `null` for JSON. */
            delimiter: string | null;
            columns: components["schemas"]["ImportPreviewColumn"][];
        };
        ImportPreviewColumn: {
            /** @description The column name in the file. */
            name: string;
            /** @description The target of the column, with the names used in `columns` of an import. */
            becomes: string;
            /** @description Values of the column in the first rows. */
            samples: string[];
            /** @description Set if the column looks like a status. The import is rejected until you map the column in `columns`. */
            warning: string | null;
        };
        Invitation: {
            id: string;
            /** @constant */
            object: "invitation";
            /** Format: email */
            email: string;
            /** @description The role. `owner`: everything. `admin`: everything except managing owners. `member`: messages, contacts, campaigns and sub-tenants. `viewer`: read-only access. */
            role: components["schemas"]["Role"];
            status: components["schemas"]["InvitationStatus"];
            /** @description The ID of a user or an API key. */
            invited_by: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            accepted_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        InvitationAccept: {
            /** @description The invitation token: the part of the link after the `#`. */
            token: string;
            name?: string | null;
            password: string;
            /** @description A code from the authenticator app. */
            totp?: string;
            /** @description One of the recovery codes. */
            recovery_code?: string;
        };
        InvitationCreate: {
            email: string;
            /** @description The role. `owner`: everything. `admin`: everything except managing owners. `member`: messages, contacts, campaigns and sub-tenants. `viewer`: read-only access. */
            role: components["schemas"]["Role"];
        };
        InvitationCreated: {
            id: string;
            /** @constant */
            object: "invitation";
            /** Format: email */
            email: string;
            /** @description The role. `owner`: everything. `admin`: everything except managing owners. `member`: messages, contacts, campaigns and sub-tenants. `viewer`: read-only access. */
            role: components["schemas"]["Role"];
            status: components["schemas"]["InvitationStatus"];
            /** @description The ID of a user or an API key. */
            invited_by: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            accepted_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Whether the invitation was sent by email. `false` if the server has no domain to send email from. */
            mailed: boolean;
            /**
             * Format: uri
             * @description The link in the email, for sharing in another way. Only returned in this response.
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        InvitationStatus: "pending" | "accepted" | "revoked" | "expired";
        InvitationView: {
            /** @description The invitation token: the part of the link after the `#`. */
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
            /** @description Number of contacts who were already on the list. */
            already: number;
            /** @description IDs of contacts who unsubscribed from the list themselves and were not added. */
            unsubscribed: string[];
            /** @description IDs without a contact that can join the list. */
            missing: string[];
        };
        ListGrowth: {
            /** @constant */
            object: "list_growth";
            list_id: string;
            window_days: number;
            joined: number;
            /** @description Contacts who left the list or were removed from it. */
            unsubscribed: number;
            /** @description Current number of contacts. */
            contacts: number;
            series: components["schemas"]["ListGrowthDay"][];
        };
        ListGrowthDay: {
            /** @description The day (UTC). */
            date: string;
            joined: number;
            unsubscribed: number;
            /** @description Number of contacts at the end of the day. For a segment, only known for the last day. */
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
            /** @description Your own key-value data, up to 16 KiB of JSON. */
            metadata: {
                [key: string]: unknown;
            };
            status: components["schemas"]["ContactStatus"];
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The state of the membership. `pending` members have signed up but not confirmed and get no email. */
            list_state: components["schemas"]["ListMemberState"];
            /** @description When the contact joined the list. `null` in a segment. */
            joined_at: string | null;
        };
        /** @description Pass exactly one of `contact_id`, `contact_ids` and `email`. With `email`, `name` replaces the contact's name, `metadata` is merged by key, and `tags` are added. */
        ListMemberAdd: {
            contact_id?: string;
            contact_ids?: string[];
            /** @description The address to add. A contact is created if none exists. */
            email?: string;
            name?: string | null;
            /** @description Your own key-value data, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            tags?: string[];
            /** @description Whether to add contacts back who unsubscribed from the list themselves. Use it only with their consent. Defaults to `false`. */
            resubscribe?: boolean;
        };
        ListMemberList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ListMember"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        ListMemberRemoved: {
            /** @description The contact's ID. */
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
            /** @description Number of contacts that currently match, in any status. */
            contacts: number;
            /** @description The newest matching contacts, up to 10. */
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
            /** @description Tags of subscribed members, most frequent first, up to 10,000. Up to one minute old. */
            data: components["schemas"]["ListTag"][];
            /** @constant */
            has_more: false;
            next_cursor: null;
        };
        /** @enum {string} */
        ListView: "full" | "summary";
        /** @description Opens and clicks by known bots, such as prefetchers and scanners. Unknown clients count as people. */
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
        /** @description An address, `Name <address>`, or `{email, name}`. */
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
            /** @description Number of subscribed members. For a segment, the last count. */
            contacts: number;
            /** @description When the segment was last counted. `null` for other lists. */
            counted_at: string | null;
            double_opt_in: boolean;
            confirmation_template_id: string | null;
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uri
             * @description URL of the public sign-up page for the key's environment. Not available for segments.
             */
            sign_up_url: string | null;
            /** @description The publishable key (`pk_…`) with which a form on any website can sign up contacts to this list. It allows nothing else and is not a secret. */
            publishable_key: string | null;
            /** @description Origins to which a form can redirect the browser with `redirect_url`. */
            form_origins: string[];
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        MailingListCreate: {
            /** @description The name of the list. Recipients may see it. */
            name: string;
            /** @description A description shown on the sign-up and preference pages. */
            description?: string | null;
            /** @description Whether people who sign up must confirm by email before they are subscribed. Defaults to `false`. */
            double_opt_in?: boolean;
            /** @description The template of the confirmation email, with the variables `confirmation_url` and `list_name`. `null` uses a plain default email. */
            confirmation_template_id?: string | null;
            filter?: components["schemas"]["SegmentFilter"] | null;
            /** @description Web origins, for example `https://www.example.com`. */
            form_origins?: string[];
            sub_tenant_id?: string | null;
        };
        MailingListList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["MailingList"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        MailingListUpdate: {
            /** @description The name of the list. Recipients may see it. */
            name?: string;
            /** @description A description shown on the sign-up and preference pages. */
            description?: string | null;
            double_opt_in?: boolean;
            /** @description The template of the confirmation email, with the variables `confirmation_url` and `list_name`. `null` uses a plain default email. */
            confirmation_template_id?: string | null;
            filter?: components["schemas"]["SegmentFilter"] | null;
            /** @description Web origins, for example `https://www.example.com`. */
            form_origins?: string[];
        };
        Me: {
            /** @constant */
            object: "me";
            /** @description The environment of this request. */
            mode: components["schemas"]["Environment"];
            /** @description The permission, with the same values as for API keys. */
            permission: components["schemas"]["KeyPermission"];
            /** @description The sub-tenant the request is limited to. */
            sub_tenant_id: string | null;
            /** @description Whether the key is pinned to that sub-tenant. */
            pinned: boolean;
            api_key: components["schemas"]["ApiKey"] | null;
            person: components["schemas"]["MePerson"] | null;
            organization: components["schemas"]["MePlace"];
            workspace: components["schemas"]["MePlace"];
            limits: components["schemas"]["MeLimits"];
        };
        MeLimits: {
            /** @description Requests per minute for all keys of the environment together, or for the user. `null` if there is no limit. */
            requests_per_minute: number | null;
            recipients_per_message: number;
            attachments_per_message: number;
            message_size_bytes: number;
            messages_per_batch: number;
        };
        MePerson: {
            user: components["schemas"]["User"];
            /** @description The role in the organization. */
            role: components["schemas"]["Role"];
            /** @description Workspaces that you can select with `X-Workspace-Id`. */
            workspaces: components["schemas"]["MeWorkspace"][];
        };
        MePlace: {
            id: string;
            /** @description The name. `null` if the request is limited to a sub-tenant. */
            name: string | null;
        };
        MeWorkspace: {
            id: string;
            name: string;
            organization_id: string;
            role: components["schemas"]["Role"];
        };
        Member: {
            /** @description The user ID. */
            id: string;
            /** @constant */
            object: "member";
            /** Format: email */
            email: string;
            name: string | null;
            /** @description The role. `owner`: everything. `admin`: everything except managing owners. `member`: messages, contacts, campaigns and sub-tenants. `viewer`: read-only access. */
            role: components["schemas"]["Role"];
            /** @description Whether the user has enabled two-factor authentication. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        MemberUpdate: {
            /** @description The role. `owner`: everything. `admin`: everything except managing owners. `member`: messages, contacts, campaigns and sub-tenants. `viewer`: read-only access. */
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
            /** @description All reply-to addresses, if there are several. `reply_to` is the first. */
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
            /** @description The Message-ID header of the email, including angle brackets. Cc and Bcc copies have the same one. */
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
            /** @description The campaign that sent the message. */
            campaign_id: string | null;
            /** @description The sequence that sent the message. */
            sequence_id: string | null;
            /** @description The tag of the campaign variant, the key of the split or the sequence step that the message was made from. */
            variant: string | null;
            /** @description The ID of the list given as the topic. */
            topic_id: string | null;
            received?: components["schemas"]["ReceivedPart"];
            /** @description The messages to `cc` and `bcc`. Only present in the response that created them. */
            copies?: components["schemas"]["MessageCopy"][];
            /** @description The messages to all other recipients in `to`, `cc` and `bcc`. Only present in the response that created them. */
            recipients?: components["schemas"]["MessageCopy"][];
        };
        MessageAudit: {
            message_id: string;
            status: components["schemas"]["MessageStatus"];
            /** @description Events in the order in which they occurred. */
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
            /** @description For `suppressed` events: why the message was not sent, what the suppression covers, and how to lift it. */
            explanation?: string;
            provider?: string;
            provider_message_id?: string;
            ip?: string;
            user_agent?: string;
        };
        MessageBatch: {
            /** @constant */
            object: "list";
            /** @description Results in the order of the request. */
            data: (components["schemas"]["Message"] | components["schemas"]["Error"])[];
        };
        MessageBatchCreate: {
            /** @description The messages to send. Each item has the same fields as the body of `POST /v1/messages`, with its own `idempotency_key`. */
            messages: components["schemas"]["MessageCreate"][];
            /** @description Whether to reject the whole batch if any item is invalid. `details.items` then lists the invalid items, and no message is sent. Defaults to `false`. */
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
            /** @description The additional header fields that you set. */
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
        /** @description An email to send. Each recipient in `to`, `cc` and `bcc` gets a separate message. */
        MessageCreate: {
            /** @description One or more recipients, each an address, `Name <address>` or `{email, name}`. Every recipient gets a separate message whose To header lists all of them. `to`, `cc` and `bcc` together can have up to 50 recipients. */
            to: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description One or more Cc recipients, each of whom gets a separate message. */
            cc?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description One or more Bcc recipients, each of whom gets a separate message. No other recipient sees them. */
            bcc?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description The subject. Overrides the template's subject; required if there is none. */
            subject?: string;
            /** @description The HTML body. Omit it if you use a template. */
            html?: string;
            /** @description The plain text body. Omit it if you use a template. */
            text?: string;
            /** @description The slug of the template to send. */
            template?: string;
            /** @description The ID of the template to send. */
            template_id?: string;
            /** @description Values for the placeholders of the template or inline content. They override the fields of the saved contact. Inline content is rendered only if you pass variables (an empty object is enough), the recipient is a saved contact, or the type is marketing or sales. With several recipients, all of them get the same email, rendered for the contact of the first `to`. */
            variables?: {
                [key: string]: unknown;
            };
            from?: components["schemas"]["MailboxInput"];
            /** @description One or more addresses for replies. You must be allowed to use each of them. */
            reply_to?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description Defaults to `"transactional"`. */
            type?: components["schemas"]["MessageType"];
            /** @description Defaults to `"normal"`. */
            priority?: components["schemas"]["MessagePriority"];
            /** @description When to send the message, as an ISO 8601 time with an offset, up to a year ahead. */
            send_at?: string;
            /** @description When to stop trying to deliver the message, as an ISO 8601 time with an offset. Must be in the future and after `send_at`. Takes effect if it is earlier than the end of the queue lifetime. Use it for login codes and other time-sensitive email. */
            expires_at?: string;
            /** @description Whether to render placeholders in inline `html`, `text` and `subject` as described for `variables`. If `false`, the content is sent unchanged. Defaults to `true`. */
            render?: boolean;
            /** @description Whether to reject the message if the template or inline content uses a variable without a value. The resulting `validation_error` lists each missing variable. An empty string is a value. Defaults to `false`. */
            require_variables?: boolean;
            /** @description Whether to require REQUIRETLS (RFC 8689), so that the message is delivered only to servers with verified TLS that pass the requirement on. Otherwise it bounces. Defaults to `false`. */
            require_tls?: boolean;
            /** @description A unique key that makes the request safe to retry. You can send it as the `Idempotency-Key` header instead. */
            idempotency_key?: string;
            tags?: string[];
            /** @description Your own key-value data, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            attachments?: components["schemas"]["AttachmentInput"][];
            /** @description Additional header fields. Fields set by Mailkeel or by mail servers are rejected, such as From, To, Date, Received, DKIM-Signature and Content-*. List-Unsubscribe (https and mailto URIs), List-Unsubscribe-Post and Message-ID are accepted only for transactional email without a topic. */
            headers?: {
                [key: string]: string;
            };
            /** @description Whether to add `Auto-Submitted: auto-generated` (RFC 3834), which stops vacation responders from replying but makes some help desks suspend the message. Defaults to `true` for marketing and sales email and `false` for transactional email. You can set a different value in `headers`. */
            auto_submitted?: boolean;
            /** @description The sub-tenant to send as: its ID, or `external:` followed by its external ID. If omitted and `from` is on the domain of a verified sub-tenant, the message is sent as that sub-tenant. */
            sub_tenant_id?: string;
            /** @description The thread to continue. Sets In-Reply-To and References unless you set them in `headers`. */
            thread_id?: string;
            /** @description The ID (`lst_…`) of a list that represents the purpose of the message. The message is not sent to anyone who unsubscribed from that list, and its unsubscribe link removes the recipient from that list only. The list must belong to the sender, which is the sub-tenant or the workspace. Recipients do not have to be members. */
            topic?: string;
            /** @description Whether to track opens. Requires an HTML body. */
            track_opens?: boolean;
            /** @description Whether to track clicks. Requires an HTML body. */
            track_clicks?: boolean;
        };
        /** @description Why the message bounced or failed. */
        MessageError: {
            type: components["schemas"]["MessageErrorType"];
            category: components["schemas"]["ErrorCategory"];
            /** @description The SMTP reply code. */
            code: number | null;
            /** @description The enhanced status code (RFC 3463), for example `5.1.1`. */
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
            /** @description Defaults to `"csv"`. */
            format?: components["schemas"]["TransferFormat"];
            sub_tenant_id?: string | null;
            /** @description Matches any of these values. */
            status?: components["schemas"]["MessageStatus"][];
            /** @description Recipient addresses. Matches any of these values. */
            to?: string[];
            /** @description Sender addresses. Matches any of these values. */
            from?: string[];
            /** @description Text to find in the subject. */
            subject?: string;
            /** @description Matches any of these values. */
            type?: components["schemas"]["MessageType"][];
            /** @description Tags. Matches any of these values. */
            tag?: string[];
            /** @description Metadata to match: top-level keys with their values as text. All conditions must match. */
            metadata?: {
                [key: string]: string;
            };
            thread_id?: string;
            campaign_id?: string;
            sequence_id?: string;
            in_doubt?: boolean;
            /** @description Text to find in the recipient or subject. */
            q?: string;
            /** @description Created at or after this date or ISO 8601 time with an offset. */
            created_after?: string;
            /** @description Created before this date or ISO 8601 time with an offset. */
            created_before?: string;
        };
        /** @description The latest delivery attempt. The status of a message is `sent` from its first attempt on. See `outcome` for whether a server accepted it. */
        MessageLastAttempt: {
            /** @description The attempt number, starting at 1. */
            number: number;
            outcome: components["schemas"]["AttemptOutcome"];
            /** Format: date-time */
            at: string;
            /**
             * Format: date-time
             * @description Time of the next attempt. `null` if no further attempt is planned.
             */
            next_attempt_at: string | null;
        };
        MessageList: {
            /** @constant */
            object: "list";
            data: (components["schemas"]["Message"] | components["schemas"]["MessageSummary"])[];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description The campaign that sent the message. */
            campaign_id: string | null;
            /** @description The sequence that sent the message. */
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
            /** @description The new time to send the message, as an ISO 8601 time with an offset. A time up to 5 minutes in the past means now. */
            send_at: string;
        };
        Node: {
            id: string;
            /** @constant */
            object: "node";
            /** @description The host name of the machine. */
            host: string;
            version: string;
            roles: components["schemas"]["NodeRole"][];
            /** @description The state of the node. `leaving` means that the node is handing over its work and shutting down. */
            status: components["schemas"]["NodeStatus"];
            /** @description Whether this node sent the response. */
            is_this: boolean;
            /** @description Sources and smarthosts that this node can send through. */
            sources: string[];
            /** @description Number of path leases held by this node. The paths of each source are divided into 64 leases. */
            path_leases: number;
            /** @description Exclusive tasks assigned to this node, for all workspaces or for some of them. */
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
            /** @description The role. `owner`: everything. `admin`: everything except managing owners. `member`: messages, contacts, campaigns and sub-tenants. `viewer`: read-only access. */
            role: components["schemas"]["Role"];
            /** @description Whether there is an account with the address. If so, its existing password is required instead of a new one. */
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
            /** @description The messages that an unsubscribe blocks: all messages, or only marketing and sales. */
            unsubscribe_blocks: components["schemas"]["UnsubscribeBlocks"];
            track_opens: boolean;
            track_clicks: boolean;
            /** @description Message types whose opens and clicks are not tracked by default. */
            untracked_types: components["schemas"]["MessageType"][];
            /** @description The addresses allowed as `reply_to`: those of verified senders, or any. The vendor APIs and the SMTP relay always allow any address. */
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
            /** @description The postal address in the footer of campaign emails and of marketing and sales emails sent by sequences. Without it, all marketing and sales email is rejected. */
            postal_address?: string | null;
            /** @description The messages that an unsubscribe blocks: all messages, or only marketing and sales. */
            unsubscribe_blocks?: components["schemas"]["UnsubscribeBlocks"];
            /** @description Default for messages that do not set `track_opens`. */
            track_opens?: boolean;
            /** @description Default for messages that do not set `track_clicks`. */
            track_clicks?: boolean;
            /** @description Message types whose opens and clicks are not tracked by default. */
            untracked_types?: components["schemas"]["MessageType"][];
            /** @description The addresses allowed as `reply_to`: those of verified senders, or any. The vendor APIs and the SMTP relay always allow any address. */
            reply_to_policy?: components["schemas"]["ReplyToPolicy"];
            branding?: components["schemas"]["BrandingUpdate"];
        };
        /** @enum {string} */
        PageLanguage: "en" | "de" | "es" | "fr" | "it" | "nl" | "pl" | "pt-BR";
        PasswordChange: {
            current: string;
            /** @description The new password, with 12 to 200 characters. It cannot be the email address or a common password. */
            new: string;
        };
        PasswordResetConfirm: {
            /** @description The token from the reset link: the part after the `#`. */
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
            /** @description Base64-encoded Ed25519 signature of the canonical JSON (RFC 8785) of `bundle`. */
            signature: string;
            key_id: string;
            /** @constant */
            algorithm: "ed25519";
            /** @description The 32-byte public key, base64-encoded. */
            public_key: string;
            attestation: components["schemas"]["ProofAttestation"];
            /** @description Base64-encoded signature of the canonical JSON (RFC 8785) of `{attestation, signature}`. */
            attestation_signature: string;
        };
        ProofAttestation: {
            sandbox: boolean;
            /** @description Head of the workspace's audit chain when the proof was issued, in hexadecimal. */
            chain_head: string;
            /** @description Replies of the recipient's mail server for each delivery. */
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
            /** @description Whether the key only signs proofs of sandbox messages. */
            sandbox: boolean;
        };
        ProofKeySet: {
            keys: components["schemas"]["ProofKey"][];
        };
        ProofVerification: {
            /** @constant */
            object: "proof_verification";
            valid: boolean;
            /** @description Whether the message was created with a test key and therefore not delivered to anyone. `null` if the proof is invalid, or if it comes from an earlier release without an attestation and its message no longer exists. */
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
            /** @description Number of queued messages. */
            depth: number;
            /** @description Number of queued messages that are due. */
            due: number;
            /** @description Number of queued messages waiting for a later time: `send_at` or the next attempt. */
            scheduled: number;
            /** @description Number of queued messages that are currently being delivered. */
            leased: number;
            /** @description Number of queued messages on hold because of a missing signing key, a suspended sub-tenant or an internal error. */
            held: number;
            transactional: number;
            /** @description Number of queued marketing and sales messages. */
            bulk: number;
            /** @description Number of recipient domains. */
            destinations: number;
            /**
             * Format: date-time
             * @description Time at which the oldest queued message was accepted.
             */
            oldest_at: string | null;
            /**
             * Format: date-time
             * @description Time of the next delivery attempt. Later than the time at which a message is due if a limit delays it and the end of the delay is known.
             */
            next_attempt_at: string | null;
        };
        /** @description Queued messages for one recipient domain. */
        QueueDestination: {
            /** @constant */
            object: "queue_destination";
            domain: string;
            /** @description The provider of the domain's mail servers, if known. */
            provider: string | null;
            /** @description Number of queued messages. */
            depth: number;
            /** @description Number of queued messages that are due. */
            due: number;
            /** @description Number of queued messages that are currently being delivered. */
            leased: number;
            /** @description Number of queued messages on hold because of a missing signing key, a suspended sub-tenant or an internal error. */
            held: number;
            /**
             * Format: date-time
             * @description Time at which the oldest queued message was accepted.
             */
            oldest_at: string | null;
            /**
             * Format: date-time
             * @description Time of the next delivery attempt. Later than the time at which a message is due if a limit delays it and the end of the delay is known.
             */
            next_attempt_at: string | null;
            /** @description The delivery state. `flowing`: messages are being delivered. `waiting`: messages are in line or not due yet. `deferred`: the recipient's mail server deferred delivery. `paused`: paused on request. `suspended`: delivery is suspended for some time. `limited`: a limit has been reached. */
            state: components["schemas"]["QueueDestinationState"];
            reason: components["schemas"]["QueueReason"] | null;
            last_reply: components["schemas"]["QueueReply"] | null;
        };
        QueueDestinationList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["QueueDestination"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        QueueDestinationPause: {
            /**
             * @description The reason for the pause, shown in explanations of waiting messages.
             * @example Maintenance at the receiving host
             */
            reason?: string;
        };
        /** @enum {string} */
        QueueDestinationState: "flowing" | "waiting" | "deferred" | "paused" | "suspended" | "limited";
        /** @description A limit set on a path because of replies from a receiving mail server, until it expires or is removed. */
        QueueOverride: {
            id: string;
            /** @constant */
            object: "queue_override";
            /** @description The source and the provider or site, for example `default > google`. */
            path: string;
            provider: string | null;
            site: string;
            source: string;
            kind: components["schemas"]["QueueOverrideKind"];
            /** @description The current limit, depending on `kind`. For a circuit breaker, its state. */
            value: unknown;
            /** @description The sub-tenant the limit applies to, if it is not general. */
            sub_tenant_id: string | null;
            /** @description The rule that set the limit. */
            rule: string;
            reason: string;
            /** @description The reply of the receiving mail server. Only shown to the operator. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        QueuePurge: {
            /** @constant */
            object: "queue_purge";
            action: components["schemas"]["QueuePurgeAction"];
            dry_run: boolean;
            /** @description Number of matching messages, among those examined. */
            matched: number;
            canceled: number;
            bounced: number;
            /** @description Number of messages that may already have arrived. They are not retried, and are neither canceled nor bounced. */
            in_doubt: number;
            /** @description IDs of the first matching messages. */
            message_ids: string[];
            /** @description Whether all messages were processed. If `false`, send the same request again. */
            complete: boolean;
        };
        /** @enum {string} */
        QueuePurgeAction: "cancel" | "bounce";
        QueuePurgeRequest: {
            /** @description The action. `cancel` cancels the messages. `bounce` bounces them and sends a report to senders who submitted them over SMTP. */
            action: components["schemas"]["QueuePurgeAction"];
            /** @description Include only messages to this recipient domain. */
            domain?: string;
            /** @description Include only messages of this sub-tenant. */
            sub_tenant_id?: string;
            /** @description Include only messages with this tag. */
            tag?: string;
            /** @description Include only copies sent by this campaign. */
            campaign_id?: string;
            /** @description Include only messages of these types. */
            type?: components["schemas"]["MessageType"][];
            /** @description Include only messages accepted before this time, for example `2026-03-01T09:00:00Z`. */
            accepted_before?: string;
            /** @description Whether to include all queued messages. Required if you set no filter. Defaults to `false`. */
            all?: boolean;
            /** @description The reason, shown in audit trails and bounce reports. Defaults to `"no reason was given"`. */
            reason?: string;
            /** @description If `true`, only counts the matching messages. If `false`, applies the action. */
            dry_run: boolean;
        };
        /** @description Why messages are waiting, with the same code as in the explanation of a message. */
        QueueReason: {
            code: string;
            text: string;
            /** Format: date-time */
            until: string | null;
        };
        /** @description The last reply to a message that is still queued. */
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
            /** @description Number of messages that became due. */
            retried: number;
            /** @description Number of messages that were not retried because their last reply asked for a delay. */
            waiting: number;
        };
        Readiness: {
            /** @constant */
            status: "ready";
            /** @description Problems that require attention, although the service works. Empty if there are none. */
            warnings: string[];
        };
        ReceivedArc: {
            result: string;
        };
        /** @description Results of SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617) when the message was received. */
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
            /** @description Whether the domain matches the From domain or belongs to the same organization. */
            aligned: boolean;
        };
        ReceivedDmarc: {
            result: string;
            policy: string | null;
            domain: string | null;
        };
        /** @description Details of a received message. Only present on received messages. */
        ReceivedPart: {
            /** @description The ID of the message that this one replies to. */
            in_reply_to: string | null;
            /** @description The kind of automatic reply, for example `vacation`. `null` for a reply written by a person. */
            auto_reply: string | null;
            /** @description The new text without quotes and signature. */
            visible_text: string | null;
            /** @description The new part of the HTML body without quotes and signature. Not sanitized; treat it as untrusted. */
            visible_html: string | null;
            /** @description The quoted text. */
            quoted_text: string | null;
            signature: string | null;
            /** @description The complete text body. */
            text: string | null;
            /** @description The complete HTML body. Not sanitized; treat it as untrusted. */
            html: string | null;
            /** @description The Message-ID without angle brackets. */
            message_id: string | null;
            /** @description The envelope sender. Empty for the null sender. */
            mail_from: string;
            client_address: string | null;
            /** @description The TLS version of the session. `null` if it was not encrypted. */
            tls: string | null;
            authentication: components["schemas"]["ReceivedAuthentication"] | null;
            /** @description Parts that could not be parsed, with the reason. The raw message contains everything. */
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
            /** @description Recovery codes, each of which can be used once instead of a code from the app. Only returned in this response. */
            recovery_codes: string[];
        };
        Reload: {
            /** @constant */
            object: "reload";
            dry_run: boolean;
            /** @description Changes applied. Empty if nothing has changed. */
            changes: components["schemas"]["ReloadChange"][];
            /** @description Valid settings that are probably unintended. */
            warnings: string[];
            /** @description Changed settings that take effect only after a restart. */
            need_restart: string[];
        };
        ReloadChange: {
            part: components["schemas"]["ReloadPart"];
            /** @description The name of the changed source, pool or smarthost. */
            name: string | null;
            change: components["schemas"]["ReloadChangeKind"];
        };
        /** @enum {string} */
        ReloadChangeKind: "added" | "removed" | "changed";
        /** @enum {string} */
        ReloadPart: "source" | "pool" | "smarthost" | "routes" | "default" | "overflow" | "shaping" | "providers" | "bounce_rules";
        ReloadRequest: {
            /** @description Whether to only check the files and return the changes without applying them. Defaults to `false`. */
            dry_run?: boolean;
        };
        RenderedContent: {
            /** @constant */
            object: "rendered_content";
            subject: string | null;
            html: string | null;
            text: string | null;
            /** @description Placeholders without a value from the variables, the contact or the built-in values. */
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
            /** @description Placeholders without a value from the variables, the contact or the built-in values. */
            missing: string[];
        };
        /** @enum {string} */
        ReplyToPolicy: "verified" | "any";
        /** @description Reputation in the key's environment at the last evaluation. */
        Reputation: {
            /** @description The reputation state. `warned` and `throttled` end automatically when the rate falls. A sub-tenant that was `paused` because of a rate must be resumed manually. */
            state: components["schemas"]["ReputationState"];
            /** @description Complaints per delivered message, as a fraction. `null` if nothing was delivered. */
            complaint_rate: number | null;
            /** @description Bounces per sent message, as a fraction. `null` if nothing was sent. */
            bounce_rate: number | null;
            delivered: number;
            /** @description Number of past days covered by the rates, by time of the events. */
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
            /** @description Complaints per delivered message, as a fraction. `null` if nothing was delivered. */
            complaint_rate: number | null;
            /** @description Bounces per sent message, as a fraction. `null` if nothing was sent. */
            bounce_rate: number | null;
        };
        /** @enum {string} */
        ReputationEvent: "tenant_warned" | "tenant_throttled" | "tenant_paused" | "tenant_recovered";
        ReputationLevels: {
            /** @description Minimum number of delivered messages. With fewer, the state does not get worse. */
            min_delivered: number;
            /** @description Complaint rate at which the sub-tenant is warned. */
            warn: number;
            /** @description Complaint rate at which the sub-tenant is throttled. */
            throttle: number;
            /** @description Messages allowed in any hour while throttled. */
            throttle_per_hour: number;
            /** @description A state ends when the rate falls below this fraction of its threshold. */
            recovery_ratio: number;
            /** @description Complaint rate at which the sub-tenant is paused. `null` if it is never paused for complaints. */
            pause_complaint: number | null;
            /** @description Bounce rate at which the sub-tenant is paused. `null` if it is never paused for bounces. */
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
            /** @description The `operationId`. */
            operation: string;
            method: components["schemas"]["RequestMethod"];
            /** @description The path without the query. Parts that may be personal data are replaced by a placeholder. */
            path: string;
            status: number;
            /** @description The `error.code`. `null` for successful requests. */
            code: string | null;
            /** @description The `error.param`. */
            param: string | null;
            duration_ms: number;
            actor: components["schemas"]["RequestActor"];
            sub_tenant_id: string | null;
            /** @description The request ID, as in the response header `X-Request-Id`. */
            request_id: string;
            /** @description The query without secrets and personal data: strings are replaced by their length and addresses by their domain. `null` if there is none. */
            query: unknown;
            /** @description The body without secrets and personal data: strings are replaced by their length and addresses by their domain. `null` if there is none. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        RequestMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
        /** @enum {string} */
        RetentionMode: "redact" | "delete";
        /** @enum {string} */
        Role: "owner" | "admin" | "member" | "viewer";
        /** @description A route set by the operator. Criteria that are `null` are ignored. */
        Route: {
            id: string;
            /** @constant */
            object: "route";
            domains: string[] | null;
            providers: string[] | null;
            sub_tenants: string[] | null;
            types: components["schemas"]["MessageType"][] | null;
            tags: string[] | null;
            /** @description Routes in order of preference, as `pool:name` or `smarthost:name` from the egress file. */
            via: string[];
            reason: string;
            /** @description The state of the route. A `broken` route refers to something that no longer exists in the egress file, and is skipped. */
            state: components["schemas"]["RouteState"];
            /** @description Why the route is broken. */
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
            /** @description Number of matching live messages in the queue, among those examined. */
            matched: number;
            /** @description The 50 destinations with the most matching messages. */
            destinations: components["schemas"]["RouteDestination"][];
            /** @description Whether all queued messages were examined. `false` if there was not enough time. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        RouteRequest: {
            /** @description Recipient domains. `*.example.com` matches every subdomain of example.com. */
            domains?: string[];
            /** @description Providers of the recipients' mail servers, for example `google`. */
            providers?: string[];
            /** @description Sub-tenants, by ID or external ID. */
            sub_tenants?: string[];
            types?: components["schemas"]["MessageType"][];
            /** @description Tags to match. A message needs only one of them. */
            tags?: string[];
            /** @description Whether the route applies to all mail. Required if you set no other criterion. Defaults to `false`. */
            all?: boolean;
            /** @description Routes in order of preference, as `pool:name` or `smarthost:name` from the egress file. */
            via: string[];
            /** @description A note for the operator. It is not visible to anyone else. */
            reason: string;
            /** @description Time at which the route is removed automatically. By default, it does not expire. */
            expires_at?: string;
            /** @description Whether to only check the route and count the matching queued messages. Defaults to `false`. */
            dry_run?: boolean;
        };
        /** @enum {string} */
        RouteState: "active" | "broken";
        SandboxAddress: {
            /** @constant */
            object: "sandbox_address";
            /** @description The local part, which works at any domain and is not case-sensitive. You can add any text after a `+`. */
            local_part: string;
            example: string;
            /** @description Whether this is the behavior of all other addresses. */
            is_default: boolean;
            steps: {
                /** @description An audit trail event, or `replied` for an incoming reply. */
                event: string;
                /** @description Milliseconds after the previous step. */
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
            /** @description A block of a template design, up to 65,536 characters of JSON. The server stores it unchanged. */
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
            /** @description A block of a template design, up to 65,536 characters of JSON. The server stores it unchanged. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        SavedBlockUpdate: {
            name: string;
        };
        Search: {
            /** @constant */
            object: "search";
            q: string;
            /** @description Results grouped by type, newest first within each type. */
            data: components["schemas"]["SearchResult"][];
            /** @description Types that may have more results than shown. Use the same `q` with the list operation of that type. */
            more: components["schemas"]["SearchResultType"][];
        };
        SearchResult: {
            /** @constant */
            object: "search_result";
            type: components["schemas"]["SearchResultType"];
            id: string;
            /** @description The object's name, address or subject. */
            title: string;
            /** @description A further detail that identifies the object, for example an address, slug or domain. */
            detail: string | null;
            status: string | null;
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @enum {string} */
        SearchResultType: "message" | "contact" | "template" | "campaign" | "list" | "sub_tenant" | "sender" | "suppression";
        /**
         * @description A filter that makes the list a segment: `all` or `any` of several conditions `{field, op, value}` or nested groups, with up to 3 levels and 50 conditions. Fields and operators: `email`, `name`, `phone` (eq, neq, contains, starts_with, ends_with, in, not_in, exists, not_exists); `status` (eq, neq, in, not_in); `tag` (has, not_has, in, not_in, exists, not_exists); `list` (has, not_has, in, not_in, with IDs); `created_at`, `updated_at` (before, after); `metadata.<key>` (as for email, plus gt, gte, lt, lte with a number, and before, after with a date). Text comparisons ignore case. A condition on a missing value is false, and its negation is true.
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
            /** @description The email address. `null` for a domain. */
            email: string | null;
            /** @description The domain, or the domain of the address. */
            domain: string;
            name: string | null;
            /** @description The verification status. `suspended` means that the signing key's DKIM record has been missing for longer than the grace period or that another workspace has verified the domain; mail waits in the queue. An address that is only verified through its domain has the domain's status. */
            status: components["schemas"]["SenderStatus"];
            is_default: boolean;
            sub_tenant_id: string | null;
            dns: components["schemas"]["DnsDrift"] | null;
            /** @description DNS records to publish for a domain. Empty for an address. */
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
        /** @description DKIM keys and DNS records of a sender. An address has neither, because its owner confirms it by email. */
        SenderAuthentication: {
            /** @constant */
            object: "sender_authentication";
            sender_id: string;
            /** @description The domain, or the domain of the address. */
            domain: string;
            status: components["schemas"]["SenderStatus"];
            dns: components["schemas"]["DnsDrift"] | null;
            keys: components["schemas"]["DkimKey"][];
            records: components["schemas"]["DnsRecordAdvice"][];
            /** Format: date-time */
            last_checked_at: string | null;
        };
        /** @description Pass either `email` (optionally with `name`) or `domain`. */
        SenderCreate: {
            /** @description An email address. Its owner confirms it by following a link sent to it. */
            email?: string;
            /** @description The display name. Only for an address. */
            name?: string | null;
            /** @description A domain, which you verify by publishing DNS records. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description Messages that may or may not have arrived. Resend them with `resend-in-doubt`. */
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
            /** @description The event to check for the last message the sequence sent to the contact. Only opens and clicks by people count. */
            event: components["schemas"]["SequenceBranchEvent"];
            /** @description Time limit in hours, counted from arrival at this step. If the event does not occur in time, the contact continues with the next step. */
            within_hours: number;
            /** @description The ID of the step to continue with if the event occurs in time. A loop must contain `wait` steps of at least one hour in total. */
            next_step_id: string;
        };
        /** @enum {string} */
        SequenceBranchEvent: "opened" | "clicked" | "delivered" | "replied" | "bounced";
        SequenceBranchInput: {
            /** @description The step ID, with up to 40 lowercase letters, digits, `-` and `_`. Generated if omitted. It never changes. */
            id?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "branch";
            /** @description The event to check for the last message the sequence sent to the contact. Only opens and clicks by people count. */
            event: components["schemas"]["SequenceBranchEvent"];
            /** @description Time limit in hours, counted from arrival at this step. If the event does not occur in time, the contact continues with the next step. */
            within_hours: number;
            /** @description The ID of the step to continue with if the event occurs in time. A loop must contain `wait` steps of at least one hour in total. */
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
            /** @description Defaults to `"marketing"`. */
            type?: components["schemas"]["MessageType"];
            trigger: components["schemas"]["SequenceTrigger"];
            /** @description The steps, in order. If you remove a step, contacts at that step continue with the following step when their original wait ends. A contact never gets two messages of the same sequence within an hour; the second is delayed. */
            steps: components["schemas"]["SequenceStepInput"][];
            /** @description Events that end an enrollment. A bounce always does, unless a branch checks for `bounced` and the address is not suppressed. Unsubscribes and complaints always end marketing and sales sequences. */
            exit_on?: components["schemas"]["SequenceExitEvent"][];
            goal?: components["schemas"]["SequenceGoal"] | null;
            from?: components["schemas"]["MailboxInput"] | null;
            reply_to?: components["schemas"]["MailboxInput"] | null;
            /** @description Defaults to `"active"`. */
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
            /** @description The step ID, with up to 40 lowercase letters, digits, `-` and `_`. Generated if omitted. It never changes. */
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
        /** @description An event that ends the enrollment with the reason `goal`. */
        SequenceGoal: components["schemas"]["SequenceEventGoal"] | components["schemas"]["SequenceTagGoal"];
        SequenceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Sequence"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
        /** @description Why a paused sequence was paused automatically, for example `template_not_found`. Fix the cause and resume it. For an active sequence, `quota_exceeded` means that the plan's sending limit has been reached. It continues automatically when the plan allows more. */
        SequenceProblem: {
            code: string;
            message: string;
        };
        SequenceResendInDoubt: {
            /** @constant */
            object: "resend_in_doubt";
            sequence_id: string;
            /** @description Number of messages queued again. */
            messages: number;
        };
        SequenceRetryFailed: {
            /** @constant */
            object: "retry_failed";
            sequence_id: string;
            /** @description Number of enrollments that are active again. */
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
            /** @description The step ID, with up to 40 lowercase letters, digits, `-` and `_`. Generated if omitted. It never changes. */
            id?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "send";
            /** @description The slug or ID of a template. The version that is current when the step runs is sent. */
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
            /** @description Enrollments currently at this step. */
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
        /** @description The event that enrolls contacts, each of them only once. With `manual`, contacts are only enrolled with `POST …/enroll`, which also works with every other trigger. A sub-tenant's sequence enrolls the sub-tenant's contacts; a workspace's sequence enrolls the workspace's own contacts. */
        SequenceTrigger: components["schemas"]["SequenceManualTrigger"] | components["schemas"]["SequenceContactCreatedTrigger"] | components["schemas"]["SequenceContactTaggedTrigger"] | components["schemas"]["SequenceListJoinedTrigger"];
        SequenceUpdate: {
            name?: string;
            trigger?: components["schemas"]["SequenceTrigger"];
            /** @description The steps, in order. If you remove a step, contacts at that step continue with the following step when their original wait ends. A contact never gets two messages of the same sequence within an hour; the second is delayed. */
            steps?: components["schemas"]["SequenceStepInput"][];
            /** @description Events that end an enrollment. A bounce always does, unless a branch checks for `bounced` and the address is not suppressed. Unsubscribes and complaints always end marketing and sales sequences. */
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
            /** @description Hours to wait. Fractions are allowed. Contacts who are already waiting keep their original time. */
            hours: number;
        };
        SequenceWaitInput: {
            /** @description The step ID, with up to 40 lowercase letters, digits, `-` and `_`. Generated if omitted. It never changes. */
            id?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait";
            /** @description Hours to wait. Fractions are allowed. Contacts who are already waiting keep their original time. */
            hours: number;
        };
        /** @enum {string} */
        SeriesUnit: "hour" | "day";
        Session: {
            id: string;
            /** @constant */
            object: "session";
            /** @description Whether this is the session of the request. */
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
            /** @description Defaults to `7`. */
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
             * @description The URL of the page. Only returned in this response.
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        ShareMessage: {
            /** @description Defaults to `7`. */
            expires_in_days?: number;
            /** @description Whether to show the subject and text. Attachments are never shown. Defaults to `false`. */
            include_content?: boolean;
        };
        /** @enum {string} */
        ShareTarget: "message" | "sub_tenant" | "sender";
        SignIn: {
            email: string;
            password: string;
            /** @description A code from the authenticator app. */
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
            /** @description The role in the organization. */
            role: components["schemas"]["Role"];
            workspaces: components["schemas"]["SignedInWorkspace"][];
            /** @description The token for `X-CSRF-Token`, which is required for every request of the session other than GET. */
            csrf_token: string;
        };
        SignedInOrganization: {
            id: string;
            name: string;
        };
        SignedInWorkspace: {
            /** @description The workspace ID for `X-Workspace-Id`. */
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
            /** @description The outcome of the message or the action of its recipient. */
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
        /** @description A sending IP or smarthost. */
        Source: {
            /** @constant */
            object: "source";
            name: string;
            /** @description The kind of source. `mta` delivers directly to the recipients' mail servers. */
            kind: components["schemas"]["SourceKind"];
            /** @description The IPv4 address. `null` lets the operating system choose, unless there is an IPv6 address. */
            ipv4: string | null;
            ipv6: string | null;
            /** @description The host name that Mailkeel sends in EHLO. The PTR record of the IP address must point to it. */
            ehlo_name: string | null;
            smarthost: components["schemas"]["Smarthost"] | null;
            pools: components["schemas"]["SourcePool"][];
            /** @description Whether mail without a route uses this source. */
            default: boolean;
            /** @description The state. `closed`: no mail is sent through the source. `suspected`: the source may be blocked and is only used if there is no alternative. `suspended`: suspended by the operator. */
            state: components["schemas"]["SourceState"];
            closed: components["schemas"]["SourceClosed"] | null;
            suspended: components["schemas"]["SourceSuspended"] | null;
            warm_up: components["schemas"]["SourceWarmUp"] | null;
            limits_total: number;
            /** @description The newest 50 active limits for this source. `GET /v1/queue/overrides` returns all of them. */
            limits: components["schemas"]["QueueOverride"][];
        };
        SourceClosed: {
            reason: string;
            /** @description The observed error, for example of the connection. */
            reply: string;
            /**
             * Format: date-time
             * @description Time of the next attempt to use the source.
             */
            until: string | null;
        };
        /** @enum {string} */
        SourceKind: "mta" | "smarthost";
        SourceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Source"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        SourcePool: {
            name: string;
            weight: number;
        };
        SourceResumeRequest: {
            /** @description The kind of source. Required if a sending IP and a smarthost have the same name. */
            kind?: components["schemas"]["SourceKind"];
        };
        /** @enum {string} */
        SourceState: "open" | "suspected" | "closed" | "suspended";
        SourceSuspendRequest: {
            /** @description A note for the operator. It is not visible to anyone else. */
            reason: string;
            /** @description Time at which the source resumes automatically. By default, it stays suspended. */
            expires_at?: string;
            /** @description The kind of source. Required if a sending IP and a smarthost have the same name. */
            kind?: components["schemas"]["SourceKind"];
        };
        SourceSuspended: {
            reason: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description When the source resumes automatically. `null` if it stays suspended until it is resumed.
             */
            until: string | null;
        };
        SourceWarmUp: {
            /** Format: date */
            started_on: string;
            /** @description Number of days with mail after which a destination is no longer limited. */
            plan_days: number;
            /** @description Messages sent today to all destinations. */
            sent_today: number;
            destinations_total: number;
            /** @description The 50 destinations with the most mail today. */
            destinations: components["schemas"]["SourceWarmUpDestination"][];
        };
        SourceWarmUpDestination: {
            /** @description A provider or site. */
            destination: string;
            /** @description Number of completed days of the warm-up plan. */
            stage: number;
            /** @description Limit for today (UTC). `null` if the warm-up is complete. */
            limit_today: number | null;
            sent_today: number;
            deferred_today: number;
            complained_today: number;
            /** @description Whether the limit stays the same tomorrow because of the replies received today. */
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
            /** @description The return-path domain. Used once its MX record points to this server; until then, the server's own domain is used. */
            return_path_domain: string;
            /** @description The domain for replies. Used once its MX record points to this server; until then, the server's own domain is used. */
            inbound_domain: string;
            /** @description The domain of tracked links. Used once its CNAME points to this server and its links work; until then, the server's own domain is used. */
            tracking_domain: string;
            status: components["schemas"]["SubTenantStatus"];
            /** @description Maximum number of live messages in any hour, spread evenly. Further messages wait in the queue. `null` if there is no limit. */
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
            /** @description Events in chronological order, limited to the last 1,000. */
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
            /** @description The domain of the From addresses. It cannot be changed later. */
            sending_domain: string;
            /** @description Your own ID for this customer. */
            external_id?: string | null;
            /** @description The return-path domain, which receives bounces. Must be below the registered domain of the sending domain. `null` uses `bounce.` below the sending domain. */
            return_path_domain?: string | null;
            /** @description The domain for replies. Must be below the registered domain of the sending domain. `null` uses `reply.` below the sending domain. */
            inbound_domain?: string | null;
            /** @description The domain of tracked links. Must be below the registered domain of the sending domain. `null` uses `click.` below the sending domain. */
            tracking_domain?: string | null;
            /**
             * @description How DKIM keys are published in DNS. With `txt`, you publish each key. With `cname`, you publish aliases once, and Mailkeel changes the keys without further action. `cname` requires that the server hosts a DNS zone and is the default if it does. Not allowed for a domain below that zone, because nothing needs to be published.
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
            /** @description The selector of the signing key, or of the first key that will sign. */
            selector: string;
            algorithm: string;
            /** @description How the keys are published in DNS. With `txt`, the owner publishes a record for each key. With `cname`, the owner publishes aliases once. With `zone`, the server itself hosts the domain's zone. */
            mode: components["schemas"]["DkimMode"];
            rotation: components["schemas"]["DkimRotation"] | null;
        };
        SubTenantList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["SubTenant"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        SubTenantOrder: "created_at" | "-created_at" | "-complaint_rate" | "-bounce_rate";
        SubTenantReputation: {
            /** @constant */
            object: "sub_tenant_reputation";
            sub_tenant_id: string;
            /** @description The reputation state. `warned` and `throttled` end automatically when the rate falls. A sub-tenant that was `paused` because of a rate must be resumed manually. */
            state: components["schemas"]["ReputationState"];
            /** @description Complaints per delivered message, as a fraction. `null` if nothing was delivered. */
            complaint_rate: number | null;
            /** @description Bounces per sent message, as a fraction. `null` if nothing was sent. */
            bounce_rate: number | null;
            sent: number;
            delivered: number;
            bounced: number;
            complained: number;
            /** @description Number of past days covered by the rates, by time of the events. */
            window_days: number;
            /**
             * Format: date-time
             * @description Time of the last evaluation that found changed figures.
             */
            scored_at: string | null;
            /** Format: date-time */
            changed_at: string | null;
            paused: components["schemas"]["ReputationPause"] | null;
            /** @description Messages that the sub-tenant can currently send in any hour. `null` if there is no limit. */
            throttle_per_hour: number | null;
            levels: components["schemas"]["ReputationLevels"];
            /** @description Figures per day (UTC), oldest first, including today. */
            days: components["schemas"]["ReputationDay"][];
            /** @description State changes during those days, in chronological order. */
            changes: components["schemas"]["ReputationChange"][];
        };
        /** @enum {string} */
        SubTenantStatus: "pending_verification" | "verified" | "failed" | "suspended" | "paused";
        SubTenantUpdate: {
            name?: string;
            /** @description Your own ID for this customer. */
            external_id?: string | null;
            /** @description Maximum number of live messages in any hour, spread evenly. Further messages wait in the queue. `null` if there is no limit. */
            throttle_per_hour?: number | null;
            /** @description The return-path domain, which receives bounces. Must be below the registered domain of the sending domain. `null` uses `bounce.` below the sending domain. */
            return_path_domain?: string | null;
            /** @description The domain for replies. Must be below the registered domain of the sending domain. `null` uses `reply.` below the sending domain. */
            inbound_domain?: string | null;
            /** @description The domain of tracked links. Must be below the registered domain of the sending domain. `null` uses `click.` below the sending domain. */
            tracking_domain?: string | null;
            branding?: components["schemas"]["BrandingUpdate"];
        };
        SubscribeRequest: {
            list_id: string;
            email: string;
            name?: string | null;
            /** @description Your own key-value data, up to 16 KiB of JSON. */
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
            /** @description The subscription status. `pending` means that a confirmation email was sent, either because the list uses double opt-in or because the contact had left it. */
            status: components["schemas"]["ListMemberState"];
        };
        Suppression: {
            id: string;
            /** @constant */
            object: "suppression";
            /** Format: email */
            email: string;
            reason: components["schemas"]["SuppressionReason"];
            /** @description The sub-tenant the suppression applies to. `null` if it applies to all sub-tenants. */
            sub_tenant_id: string | null;
            /** @description The message that caused the suppression. */
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
            /** @description Defaults to `"manual"`. */
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
            /** @description Defaults to `"csv"`. */
            format?: components["schemas"]["TransferFormat"];
            sub_tenant_id?: string | null;
            /** @description Matches any of these values. */
            reason?: components["schemas"]["SuppressionReason"][];
            /** @description Part of the address. */
            q?: string;
            /** @description Created at or after this date or ISO 8601 time with an offset. */
            created_after?: string;
            /** @description Created before this date or ISO 8601 time with an offset. */
            created_before?: string;
        };
        SuppressionImport: {
            /** @constant */
            object: "suppression_import";
            /** @description Number of entries, not counting blank lines. */
            total: number;
            created: number;
            /** @description Entries that already existed or occurred twice in the body. They were not changed. */
            existing: number;
            failed: number;
            /** @description The first 100 failed entries. */
            errors: components["schemas"]["SuppressionImportError"][];
        };
        SuppressionImportError: {
            /** @description The line number, starting at 1. For a JSON array, the number of the item. */
            line: number;
            /** @description The value given as the address, if any. */
            email: string | null;
            message: string;
        };
        SuppressionImportItem: {
            email: string;
            /** @description Defaults to `"manual"`. */
            reason?: components["schemas"]["SuppressionReason"] | null;
            sub_tenant_id?: string | null;
        };
        SuppressionList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Suppression"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        SuppressionReason: "bounce" | "complaint" | "unsubscribe" | "manual";
        /** @description The reply of the recipient's mail server that caused the suppression. */
        SuppressionReply: {
            /** @description The SMTP reply code. */
            code?: number | null;
            /** @description The enhanced status code (RFC 3463), for example `5.1.1`. */
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
            /** @description The server's host name in SMTP. */
            hostname: string;
            /** @description Settings you must configure before DNS records and links can contain this server's host name. Empty if none are missing. */
            missing_settings: ("MAILKEEL_HOSTNAME" | "MAILKEEL_PUBLIC_URL")[];
            relay: components["schemas"]["SystemRelay"] | null;
            limits: components["schemas"]["SystemLimits"];
            plan: components["schemas"]["SystemPlan"] | null;
            /** @description The server's ports. `null` for anyone other than the operator. */
            ports: components["schemas"]["SystemPort"][] | null;
            release: components["schemas"]["SystemRelease"] | null;
        };
        SystemLimits: {
            /** @description Requests per minute for the environment of the key. `null` if there is no limit. */
            requests_per_minute: number | null;
            message_body_bytes: number;
            body_bytes: number;
            import_body_bytes: number;
            /** @description Maximum size of a composed message in bytes. */
            message_bytes: number;
            attachments: number;
            /** @description Maximum number of recipients in `to`, `cc` and `bcc` of a request together. */
            recipients: number;
            /** @description Maximum number of messages in a batch. */
            batch: number;
        };
        SystemPlan: {
            name: string;
            /** @description The limit. `null` if there is none. */
            daily_sends: number | null;
            /** @description The limit. `null` if there is none. */
            monthly_sends: number | null;
        };
        SystemPort: {
            name: components["schemas"]["SystemPortName"];
            /** @description The address that the server listens on. `null` if it does not listen. */
            host: string | null;
            port: number | null;
            /** @description Why the port differs from the settings or is not available. */
            note: string | null;
        };
        /** @enum {string} */
        SystemPortName: "api" | "api_tls" | "inbound" | "relay" | "relay_tls" | "name_server" | "metrics";
        SystemRelay: {
            /** @description The host name on the relay's certificate. */
            host: string;
            /** @description The relay port with STARTTLS. `null` if the relay has no such port. */
            port: number | null;
            /** @description The relay port with implicit TLS. `null` if the relay has no such port. */
            tls_port: number | null;
        };
        SystemRelease: {
            /** @description The latest heading of the changelog. */
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
            /** @description The message type the template can be used for, or `any`. */
            type: components["schemas"]["TemplateType"];
            subject: string | null;
            html: string | null;
            text: string | null;
            inline_css: boolean;
            /** @description The editor's source for the HTML, for example its blocks, up to 262,144 characters of JSON. It is stored with the version and not interpreted. Changing the HTML without passing a design removes it. */
            design: {
                [key: string]: unknown;
            } | null;
            version: number;
            /** @description The names used by the placeholders. */
            variables: string[];
            /** @description The environment the template belongs to. Test keys can use live templates but only change test templates. */
            environment: components["schemas"]["Environment"];
            sub_tenant_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TemplateCopy: {
            /** @description The environment to copy to. `live` requires a live key or a session. */
            environment: components["schemas"]["Environment"];
        };
        TemplateCreate: {
            name: string;
            /** @description The slug, with up to 100 lowercase letters, digits, `-` and `_`. */
            slug?: string;
            /** @description The message type the template can be used for, or `any`. */
            type?: components["schemas"]["TemplateType"];
            subject?: string | null;
            /** @description The HTML body. Placeholder values are HTML-escaped in this part only. Up to 262,144 characters. Send files as attachments and host images on a server. */
            html?: string | null;
            /** @description The plain text body. Derived from the HTML if omitted. Up to 262,144 characters. Send files as attachments and host images on a server. */
            text?: string | null;
            /** @description Whether to copy the rules of style elements into style attributes after rendering. Defaults to `false`. Stored with the version. */
            inline_css?: boolean;
            /** @description The editor's source for the HTML, for example its blocks, up to 262,144 characters of JSON. It is stored with the version and not interpreted. Changing the HTML without passing a design removes it. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        TemplatePartDiff: {
            /** @description A unified diff with three lines of context. Empty if nothing changed. */
            diff: string;
            /** @description Lines added. */
            added: number;
            /** @description Lines removed. */
            removed: number;
        };
        TemplateRender: {
            /** @description The version to render. Defaults to the current version. */
            version?: number;
            /** @description Whether to add the footer of campaign emails with the postal address and unsubscribe link. */
            footer?: boolean;
            variables?: {
                [key: string]: unknown;
            };
            /** @description The ID or address of a saved contact whose fields are used for placeholders. */
            contact?: string;
        };
        TemplateRestore: {
            /** @description The version whose content to restore. Defaults to the version before the current one. */
            version?: number;
        };
        TemplateSummary: {
            id: string;
            name: string;
            slug: string;
            /** @description The message type the template can be used for, or `any`. */
            type: components["schemas"]["TemplateType"];
            subject: string | null;
            version: number;
            /** @description The environment the template belongs to. Test keys can use live templates but only change test templates. */
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
            /** @description The version to render. Defaults to the current version. */
            version?: number;
            variables?: {
                [key: string]: unknown;
            };
            /** @description The ID or address of a saved contact whose fields are used for placeholders. */
            contact?: string;
            /** @description A verified sender. Defaults to the default sender. */
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
            /** @description Placeholders without a value. */
            missing: string[];
            messages: components["schemas"]["TemplateTestMessage"][];
        };
        /** @enum {string} */
        TemplateType: "transactional" | "marketing" | "sales" | "any";
        TemplateUpdate: {
            name?: string;
            /** @description The slug, with up to 100 lowercase letters, digits, `-` and `_`. */
            slug?: string;
            /** @description The message type the template can be used for, or `any`. */
            type?: components["schemas"]["TemplateType"];
            subject?: string | null;
            /** @description The HTML body. Placeholder values are HTML-escaped in this part only. Up to 262,144 characters. Send files as attachments and host images on a server. */
            html?: string | null;
            /** @description The plain text body. Derived from the HTML if omitted. Up to 262,144 characters. Send files as attachments and host images on a server. */
            text?: string | null;
            /** @description Whether to copy the rules of style elements into style attributes after rendering. Defaults to `false`. Stored with the version. */
            inline_css?: boolean;
            /** @description The editor's source for the HTML, for example its blocks, up to 262,144 characters of JSON. It is stored with the version and not interpreted. Changing the HTML without passing a design removes it. */
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
            /** @description The editor's source for the HTML, for example its blocks, up to 262,144 characters of JSON. It is stored with the version and not interpreted. Changing the HTML without passing a design removes it. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description The subject of the first message. */
            subject: string;
            status: components["schemas"]["ThreadStatus"];
            correspondent: components["schemas"]["Mailbox"];
            sub_tenant_id: string | null;
            /** @description Number of messages sent and received. A message to several recipients is counted once per recipient. */
            messages: number;
            /** Format: date-time */
            last_message_at: string;
            /** @description The direction of the latest message. */
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
            /** @description The subject of the first message. */
            subject: string;
            status: components["schemas"]["ThreadStatus"];
            correspondent: components["schemas"]["Mailbox"];
            sub_tenant_id: string | null;
            /** @description Number of messages sent and received. A message to several recipients is counted once per recipient. */
            messages: number;
            /** Format: date-time */
            last_message_at: string;
            /** @description The direction of the latest message. */
            last_direction: components["schemas"]["Direction"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The latest 25 messages, oldest first, or fewer if their texts are very long. Received messages have `received`. To list all of them, use `GET /v1/messages?thread_id=`. */
            recent: components["schemas"]["Message"][];
        };
        ThreadList: {
            /** @constant */
            object: "list";
            data: (components["schemas"]["Thread"] | components["schemas"]["ThreadSummary"])[];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @description A transactional message that replies in the thread. */
        ThreadReply: {
            /** @description One or more Cc recipients, each of whom gets a separate message. */
            cc?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description One or more Bcc recipients, each of whom gets a separate message. No other recipient sees them. */
            bcc?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description The HTML body. Omit it if you use a template. */
            html?: string;
            /** @description The plain text body. Omit it if you use a template. */
            text?: string;
            /** @description The slug of the template to send. */
            template?: string;
            /** @description The ID of the template to send. */
            template_id?: string;
            /** @description Values for the placeholders of the template or inline content. They override the fields of the saved contact. Inline content is rendered only if you pass variables (an empty object is enough), the recipient is a saved contact, or the type is marketing or sales. With several recipients, all of them get the same email, rendered for the contact of the first `to`. */
            variables?: {
                [key: string]: unknown;
            };
            /** @description One or more addresses for replies. You must be allowed to use each of them. */
            reply_to?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description Defaults to `"normal"`. */
            priority?: components["schemas"]["MessagePriority"];
            /** @description When to send the message, as an ISO 8601 time with an offset, up to a year ahead. */
            send_at?: string;
            /** @description When to stop trying to deliver the message, as an ISO 8601 time with an offset. Must be in the future and after `send_at`. Takes effect if it is earlier than the end of the queue lifetime. Use it for login codes and other time-sensitive email. */
            expires_at?: string;
            /** @description Whether to render placeholders in inline `html`, `text` and `subject` as described for `variables`. If `false`, the content is sent unchanged. Defaults to `true`. */
            render?: boolean;
            /** @description Whether to reject the message if the template or inline content uses a variable without a value. The resulting `validation_error` lists each missing variable. An empty string is a value. Defaults to `false`. */
            require_variables?: boolean;
            /** @description Whether to require REQUIRETLS (RFC 8689), so that the message is delivered only to servers with verified TLS that pass the requirement on. Otherwise it bounces. Defaults to `false`. */
            require_tls?: boolean;
            /** @description A unique key that makes the request safe to retry. You can send it as the `Idempotency-Key` header instead. */
            idempotency_key?: string;
            tags?: string[];
            /** @description Your own key-value data, up to 16 KiB of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            attachments?: components["schemas"]["AttachmentInput"][];
            /** @description Additional header fields. Fields set by Mailkeel or by mail servers are rejected, such as From, To, Date, Received, DKIM-Signature and Content-*. List-Unsubscribe (https and mailto URIs), List-Unsubscribe-Post and Message-ID are accepted only for transactional email without a topic. */
            headers?: {
                [key: string]: string;
            };
            /** @description Whether to add `Auto-Submitted: auto-generated` (RFC 3834), which stops vacation responders from replying but makes some help desks suspend the message. Defaults to `true` for marketing and sales email and `false` for transactional email. You can set a different value in `headers`. */
            auto_submitted?: boolean;
            /** @description The ID (`lst_…`) of a list that represents the purpose of the message. The message is not sent to anyone who unsubscribed from that list, and its unsubscribe link removes the recipient from that list only. The list must belong to the sender, which is the sub-tenant or the workspace. Recipients do not have to be members. */
            topic?: string;
            /** @description Whether to track opens. Requires an HTML body. */
            track_opens?: boolean;
            /** @description Whether to track clicks. Requires an HTML body. */
            track_clicks?: boolean;
            /** @description The recipients. Defaults to the correspondent, or to the Reply-To address of their latest message if it passed DMARC. */
            to?: string | components["schemas"]["MailboxObject"] | components["schemas"]["MailboxInput"][];
            /** @description The sender. Defaults to the From address of your last message in the thread. If there is none, Mailkeel uses the address the correspondent wrote to, if it is still valid, and otherwise the default sender. */
            from?: components["schemas"]["MailboxInput"];
            /** @description The subject. Defaults to `Re:` and the thread's subject, even with a template. */
            subject?: string;
        };
        /** @enum {string} */
        ThreadStatus: "open" | "closed";
        ThreadSummary: {
            id: string;
            /** @description The subject of the first message. */
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
            /** @description The new status. Setting the current status has no effect. */
            status: components["schemas"]["ThreadStatus"];
        };
        /** @enum {string} */
        TlsGroup: "result" | "reporter" | "day" | "domain" | "mx_host";
        TlsRecord: {
            policy_domain: string;
            /** @description The policy type: `tlsa`, `sts` or `no-policy-found`. */
            policy_type: string;
            /** @description `success`, or the failure type (RFC 8460 section 4.3). */
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
            /** @description The domain that sent the report. Proven only if `authenticated` is `true`. */
            reporter: string;
            report_id: string;
            /** @description Whether the report email proves its sender. Summaries omit unauthenticated reports by default. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description The secret in Base32, for entering it manually. */
            secret: string;
            /**
             * Format: uri
             * @description The `otpauth://…` URI for a QR code.
             */
            uri: string;
        };
        TotpConfirm: {
            /** @description A code from the authenticator app. */
            code: string;
        };
        TotpDisable: {
            password: string;
            /** @description A code from the authenticator app. */
            code?: string;
            /** @description One of the recovery codes. */
            recovery_code?: string;
        };
        TracedAttempt: {
            position: number;
            /** Format: date-time */
            at: string;
            message_id: string;
            /** @description Only included if you set `addresses`. */
            email: string | null;
            /** @description `live` or `test`. */
            mode: string;
            /** @description The attempt number, starting at 1. */
            number: number;
            /** @description The result of the attempt. `ambiguous` means that the whole message was sent but no reply was received. `delivered` by a smarthost means that the smarthost accepted the message. */
            outcome: components["schemas"]["AttemptOutcome"];
            /** @description The reply of the recipient's mail server, or the network error. */
            reply: string;
            /** @description The name of the sending IP or smarthost. */
            source: string;
            host: string | null;
            address: string | null;
            tls: components["schemas"]["AttemptTls"] | null;
            /** @description Duration of each phase in milliseconds. */
            times: {
                [key: string]: number;
            } | null;
            /** @description The start of the session. `null` if the session began before the trace. */
            opening: string[] | null;
            conversation: string[];
        };
        /** @enum {string} */
        TransferFormat: "csv" | "ndjson" | "json";
        /** @enum {string} */
        TransferStatus: "queued" | "running" | "completed" | "failed" | "canceled";
        /** @enum {string} */
        UnsubscribeBlocks: "all" | "marketing";
        /** @description Live messages of all workspaces of the organization. Each message is counted once when it is accepted, and no longer counted if it is never sent. Days and months are in UTC. Sandbox messages are not counted. */
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
            /** @description Messages that can still be sent in the period. `null` if there is no limit. */
            remaining: number | null;
        };
        UsagePeriod: {
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            resets_at: string;
            used: number;
            limit: number | null;
            /** @description Messages that can still be sent in the period. `null` if there is no limit. */
            remaining: number | null;
            /** @description Messages sent by this workspace. */
            workspace_used: number;
            /** @description Usage by message type. A type can have its own limit within the overall limit. */
            types: components["schemas"]["UsageOfType"][];
        };
        User: {
            id: string;
            /** @constant */
            object: "user";
            /** Format: email */
            email: string;
            name: string | null;
            /** @description Whether two-factor authentication is enabled. */
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
            /** @description The request headers, including the signature. */
            request_headers: {
                [key: string]: string;
            } | null;
            /** @description The request body, if the format has the signature in the body. `null` if it is the body of the delivery. */
            request_body: string | null;
            response_status: number | null;
            /** @description The response headers, up to 50 headers and 4,096 characters. */
            response_headers: {
                [key: string]: string;
            } | null;
            /** @description The first 1,024 bytes of the response body. */
            response_body: string | null;
            /** @description Why there was no response, or why the attempt failed. */
            error: string | null;
        };
        WebhookDelivery: {
            /** @description The delivery ID. Also sent as `Service-Delivery` with every attempt. */
            id: string;
            /** @constant */
            object: "webhook_delivery";
            endpoint_id: string;
            event: components["schemas"]["WebhookEventName"];
            /** @description The ID of the event in `GET /v1/events`. `null` for a test. */
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
                    /** @description The ID of the record that the event is about: a message, or another record depending on the event name. */
                    id: string;
                    event: components["schemas"]["WebhookEventName"];
                    /** Format: date-time */
                    occurred_at: string;
                    /** @description The record that `data.id` refers to, at the time of delivery. Only sent to endpoints with full payloads. `null` if there is no record, as in a test. */
                    object?: components["schemas"]["Message"] | components["schemas"]["SubTenant"] | components["schemas"]["Suppression"] | components["schemas"]["Contact"] | components["schemas"]["Sender"] | components["schemas"]["Campaign"] | components["schemas"]["Import"] | components["schemas"]["Export"] | components["schemas"]["BulkAction"] | null;
                    /** @description Whether the event is from the sandbox. Only in this log; the body that is sent (`request_body`) does not have this field. */
                    sandbox: boolean;
                };
            };
            /** @description The exact body that was signed and sent with every attempt. If each attempt has its own body, this is the body of the last attempt. */
            request_body: string;
            /** Format: date-time */
            created_at: string;
        };
        WebhookDeliveryList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description The public key that verifies deliveries, in base64 (SPKI, DER). `null` for formats that are verified with the secret. It changes with the secret. */
            public_key: string | null;
            /** @description If set, only events of this sub-tenant are sent. */
            sub_tenant_id: string | null;
            status: components["schemas"]["WebhookEndpointStatus"];
            disabled_reason: string | null;
            /** @description Number of failed deliveries since the last successful one. */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description Until this time, deliveries are also signed with the previous secret. `null` if there is only one secret.
             */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookEndpointCreate: {
            /** @description An http or https URL with a public address. A username and password in the URL are sent as Basic authentication. Responses show `***` instead; send that back to keep them. */
            url: string;
            /**
             * @description Event names. `null` subscribes to all message and sub-tenant events except `message.deferred` and `message.unsubscribed`. These two and the events of other records are opt-in; list them to receive them.
             * @example [
             *       "message.delivered",
             *       "message.bounced"
             *     ]
             */
            events?: components["schemas"]["WebhookEventName"][] | null;
            description?: string | null;
            /** @description The payload format. `standard` adds the Standard Webhooks headers (webhook-id, webhook-timestamp, webhook-signature) for use with their libraries. The vendor formats use the bodies, event names and signatures of that vendor, and only send events for which the vendor has an equivalent. `Service-Signature` is always included. Defaults to `"service"`. */
            format?: components["schemas"]["WebhookFormat"];
            /** @description The payload size. `full` adds `data.object`, the record at the time of delivery, as its GET operation returns it. Has no effect in the vendor formats. Defaults to `"thin"`. */
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
            /** @description The public key that verifies deliveries, in base64 (SPKI, DER). `null` for formats that are verified with the secret. It changes with the secret. */
            public_key: string | null;
            /** @description If set, only events of this sub-tenant are sent. */
            sub_tenant_id: string | null;
            status: components["schemas"]["WebhookEndpointStatus"];
            disabled_reason: string | null;
            /** @description Number of failed deliveries since the last successful one. */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description Until this time, deliveries are also signed with the previous secret. `null` if there is only one secret.
             */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The secret that signs every delivery. Only returned in this response. */
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
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        WebhookEndpointStatus: "enabled" | "disabled";
        WebhookEndpointUpdate: {
            /** @description An http or https URL with a public address. A username and password in the URL are sent as Basic authentication. Responses show `***` instead; send that back to keep them. */
            url?: string;
            /**
             * @description Event names. `null` subscribes to all message and sub-tenant events except `message.deferred` and `message.unsubscribed`. These two and the events of other records are opt-in; list them to receive them.
             * @example [
             *       "message.delivered",
             *       "message.bounced"
             *     ]
             */
            events?: components["schemas"]["WebhookEventName"][] | null;
            description?: string | null;
            /** @description The payload format. `standard` adds the Standard Webhooks headers (webhook-id, webhook-timestamp, webhook-signature) for use with their libraries. The vendor formats use the bodies, event names and signatures of that vendor, and only send events for which the vendor has an equivalent. `Service-Signature` is always included. */
            format?: components["schemas"]["WebhookFormat"];
            /** @description The payload size. `full` adds `data.object`, the record at the time of delivery, as its GET operation returns it. Has no effect in the vendor formats. */
            payload?: components["schemas"]["WebhookPayload"];
            /** @description The status. `enabled` also resets the failure count. */
            status?: components["schemas"]["WebhookEndpointStatus"];
        };
        WebhookEvent: {
            event: components["schemas"]["WebhookEventName"];
            /** Format: date-time */
            occurred_at: string;
            data: components["schemas"]["WebhookEventData"];
        };
        WebhookEventData: {
            /** @description The ID of the record that the event is about: a message, or another record depending on the event name. */
            id: string;
            event: components["schemas"]["WebhookEventName"];
            /** Format: date-time */
            occurred_at: string;
            /** @description The record that `data.id` refers to, at the time of delivery. Only sent to endpoints with full payloads. `null` if there is no record, as in a test. */
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
            /** @description Number of deliveries created so far. */
            deliveries: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        WebhookReplayCreate: {
            /** @description Start of the period (inclusive), as a date or an ISO 8601 time with an offset. */
            since: string;
            /** @description End of the period (exclusive), by default now. */
            until?: string | null;
            /** @description Replay only events whose last delivery to the endpoint has this status. By default, replays all events the endpoint subscribes to, including those it was never sent. */
            status?: components["schemas"]["WebhookDeliveryResult"] | null;
        };
        WebhookReplayList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["WebhookReplay"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
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
            /** @description Number of days to keep messages. `0` keeps them forever; `null` uses the server's setting. */
            retention_days: number | null;
            /** @description What happens to messages after that time. `redact` deletes content and personal data. `delete` deletes everything except the event hashes. `null` uses the server's setting. */
            retention_mode: components["schemas"]["RetentionMode"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WorkspaceCreate: {
            name: string;
            /** @description Number of days to keep messages. `0` keeps them forever; `null` uses the server's setting. */
            retention_days?: number | null;
            /** @description What happens to messages after that time. `redact` deletes content and personal data. `delete` deletes everything except the event hashes. `null` uses the server's setting. */
            retention_mode?: components["schemas"]["RetentionMode"] | null;
            /** @description Whether to also create a live key and a test key. Defaults to `false`. */
            api_keys?: boolean;
        };
        WorkspaceCreated: {
            id: string;
            /** @constant */
            object: "workspace";
            name: string;
            /** @description Number of days to keep messages. `0` keeps them forever; `null` uses the server's setting. */
            retention_days: number | null;
            /** @description What happens to messages after that time. `redact` deletes content and personal data. `delete` deletes everything except the event hashes. `null` uses the server's setting. */
            retention_mode: components["schemas"]["RetentionMode"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The first live and test key, if you set `api_keys` to `true`. Their secrets are only returned in this response. */
            api_keys: components["schemas"]["ApiKeyCreated"][];
        };
        WorkspaceList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["Workspace"][];
            /** @description Whether there is another page. A page can be shorter than `limit`, or empty, without being the last. */
            has_more: boolean;
            /** @description Cursor of the next page. `null` on the last page. */
            next_cursor: string | null;
        };
        WorkspaceUpdate: {
            name?: string;
            /** @description Number of days to keep messages. `0` keeps them forever; `null` uses the server's setting. */
            retention_days?: number | null;
            /** @description What happens to messages after that time. `redact` deletes content and personal data. `delete` deletes everything except the event hashes. `null` uses the server's setting. */
            retention_mode?: components["schemas"]["RetentionMode"] | null;
        };
    };
    responses: {
        /** @description `quota_exceeded`: The plan's sending limit has been reached. `details` has the time at which it resets. */
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
        /** @description `not_found`: The object does not exist or is not accessible with this key. The two cases are indistinguishable. */
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
        /** @description `conflict`: The request conflicts with the state of this object or with another object. */
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
        /** @description `precondition_failed`: The object has changed since the version in `If-Match`. */
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
        /** @description `validation_error`: `details.fields` lists each invalid or unknown field. */
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
        /** @description Any other client error; see `error.type` and `error.code`. Every operation can return 400 (malformed JSON, a cursor from another list, or headers that contradict the body), 401 (missing, unknown, revoked or expired key, or expired session), 403 (insufficient permission or role, or a key restricted to other IP addresses or operations), 413 (body too large), 415 (unsupported media type) and 429 (rate limited; wait for `Retry-After`). */
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
        /** @description 503 `unavailable`: The request was not stored and can be retried. Other 5xx statuses are server errors; find the cause in the log by the request ID. */
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
        /** @description Created at or after this date or ISO 8601 time with an offset. */
        CreatedAfterQuery: string;
        /** @description Created before this date or ISO 8601 time with an offset. */
        CreatedBeforeQuery: string;
        /** @description The `next_cursor` of the previous page. */
        CursorQuery: string;
        /** @description The recipient domain. */
        DomainPath: string;
        /** @description A verified domain. */
        DomainQuery: string;
        /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
        EnvironmentQuery: "live" | "test";
        IdPath: string;
        /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
        IdempotencyKey: string;
        /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
        IfMatch: string;
        /** @description Maximum number of objects to return. */
        LimitQuery: number;
        /** @description Sort order. Defaults to newest first (`-created_at`). */
        OrderQuery: components["schemas"]["ListOrder"];
        /** @description Text to find in the name. */
        QQuery: string;
        /** @description The attempt number, starting at 1. */
        ServiceAttempt: string;
        /** @description The delivery ID, which is the same for every attempt. */
        ServiceDelivery: string;
        /** @description The event name. */
        ServiceEvent: string;
        /** @description The ID of the original delivery. Only present on replays. */
        ServiceReplayOf: string;
        /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
        ServiceSignature: string;
        /** @description A date, or an ISO 8601 time with an offset (inclusive). */
        SinceQuery: string;
        /** @description Limits the request to one sub-tenant. */
        SubTenantId: string;
        /** @description Return only messages of this sub-tenant. */
        SubTenantIdQuery: string;
        TagQuery: string;
        /** @description A date, or an ISO 8601 time with an offset (exclusive). */
        UntilQuery: string;
        UserCodePath: string;
        /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
        WorkspaceIdQuery: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The request ID, yours or a generated one. It identifies the request in the log.
         * @example 01kdyak3se4w5amvgkazjzkvb7
         */
        "X-Request-Id": string;
        /**
         * @description The object's version for `If-Match`: its `updated_at` in double quotes.
         * @example "2026-03-01T09:00:00.000Z"
         */
        ETag: string;
        /**
         * @description Requests allowed per minute for the workspace. Sent in every response to an API key unless the workspace has no limit.
         * @example 600
         */
        "RateLimit-Limit": number;
        /**
         * @description Requests remaining in the current minute.
         * @example 599
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the current minute ends.
         * @example 60
         */
        "RateLimit-Reset": number;
        /**
         * @description The same limit in the IETF format: requests remaining (`r`) and seconds until reset (`t`).
         * @example "default";r=599;t=60
         */
        RateLimit: string;
        /**
         * @description The same limit in the IETF format: quota (`q`) and window in seconds (`w`).
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The API version used for this response.
         * @example 2026-12-01
         */
        "Service-Version": string;
        /**
         * @description Seconds to wait before retrying.
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description `true` if this is the stored response to an earlier request with the same idempotency key.
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
            /** @description Success. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["MessageStatus"][];
                /** @description A recipient address. Repeat the parameter to match any of several. */
                to?: string[];
                /** @description A sender address. Repeat the parameter to match any of several. */
                from?: string[];
                /** @description Text to find in the subject. */
                subject?: string;
                /** @description Comma-separated; matches any. */
                type?: components["schemas"]["MessageType"][];
                /** @description A tag. Repeat the parameter to match any of several. */
                tag?: string[];
                /** @description Metadata to match, for example `metadata[order]=4711`: a top-level key and its value as text. All conditions must match. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description `summary` returns compact objects without metadata, attachments, errors and request options. Defaults to full objects. */
                view?: components["schemas"]["ListView"];
                thread_id?: string;
                /** @description Return only copies sent by this campaign. */
                campaign_id?: string;
                /** @description Return only messages sent by this sequence. */
                sequence_id?: string;
                /** @description If `true`, return only messages that may or may not have arrived, because the connection or the server failed after the whole message was sent and before the reply. Their status is `sent` and they are not retried automatically. */
                in_doubt?: boolean;
                sub_tenant_id?: string;
                /** @description Whether to return sandbox or live messages. A key has access to one environment, so the other value returns nothing. */
                sandbox?: boolean;
                /** @description Text to find in the recipient or subject. */
                q?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                 *       "html": "<p>Thanks for signing up.</p>",
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
    "messages.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
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
    "messages.getProof": {
        parameters: {
            query?: {
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Success. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Text to find in the subject or correspondent. */
                q?: string;
                /** @description `summary` returns compact objects without the message count and last direction. Defaults to full objects. */
                view?: components["schemas"]["ListView"];
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["ThreadStatus"][];
                /** @description The correspondent's address. */
                correspondent?: string;
                /** @description Return only threads of this sub-tenant. */
                sub_tenant_id?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                 *       "text": "Your order shipped this morning.",
                 *       "idempotency_key": "reply-4711"
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
    "messages.getRaw": {
        parameters: {
            query?: {
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
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
    "messages.listAttempts": {
        parameters: {
            query?: {
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
    "dmarcReports.list": {
        parameters: {
            query?: {
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description A verified domain. */
                domain?: components["parameters"]["DomainQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Start date, by default 30 days before `to`. */
                from?: string;
                /** @description End date (exclusive), by default tomorrow. */
                to?: string;
                include_unauthenticated?: boolean;
                group_by?: components["schemas"]["DmarcGroup"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description A verified domain. */
                domain?: components["parameters"]["DomainQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Start date, by default 30 days before `to`. */
                from?: string;
                /** @description End date (exclusive), by default tomorrow. */
                to?: string;
                include_unauthenticated?: boolean;
                group_by?: components["schemas"]["TlsGroup"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Live messages of all workspaces of the organization. Each message is counted once when it is accepted, and no longer counted if it is never sent. Days and months are in UTC. Sandbox messages are not counted. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Number of days, including today. */
                days?: number;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
            /** @description Success. */
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
            /** @description Created. */
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
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                user_code: components["parameters"]["UserCodePath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                user_code: components["parameters"]["UserCodePath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Success. */
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
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Text to find in the address, domain or name. */
                q?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description DKIM keys and DNS records of a sender. An address has neither, because its owner confirms it by email. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). The rate orders put the highest rate of the last evaluation first and sub-tenants without mail in the period last. */
                order?: components["schemas"]["SubTenantOrder"];
                /** @description The reputation state. `paused` means paused automatically because of a rate, not on request. Comma-separated; matches any. */
                reputation?: components["schemas"]["ReputationState"][];
                /** @description Minimum complaint rate (complaints per delivered message), as a fraction: 0.001 is 0.1%. */
                min_complaint_rate?: number;
                /** @description Minimum bounce rate (bounces per sent message), as a fraction: 0.001 is 0.1%. */
                min_bounce_rate?: number;
                /** @description Text to find in the name, sending domain or external ID. */
                q?: string;
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["SubTenantStatus"][];
                external_id?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Number of days (UTC) of history, including today. */
                days?: number;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["WebhookDeliveryStatus"][];
                /** @description Comma-separated; matches any. */
                event?: components["schemas"]["WebhookEventName"][];
                /** @description The ID of the message or sub-tenant in `data.id` of the payload. */
                message_id?: string;
                /** @description A date, or an ISO 8601 time with an offset (inclusive). */
                since?: components["parameters"]["SinceQuery"];
                /** @description A date, or an ISO 8601 time with an offset (exclusive). */
                until?: components["parameters"]["UntilQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /**
                 * @description Comma-separated event names to return. Events of contacts, suppressions, domains, campaigns, imports, exports and bulk actions are only included if you list them.
                 * @example message.delivered,message.bounced
                 */
                events?: string;
                /** @description A date, or an ISO 8601 time with an offset (inclusive). */
                since?: components["parameters"]["SinceQuery"];
                /** @description A date, or an ISO 8601 time with an offset (exclusive). */
                until?: components["parameters"]["UntilQuery"];
                /** @description Returns only events of this sub-tenant. */
                sub_tenant_id?: string;
                /** @description Sort order: `desc` (newest first) or `asc`. Defaults to `desc`. */
                order?: "desc" | "asc";
                /** @description The ID of the last event you have seen. The page starts after it. Requires `order=asc`. */
                after?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                 * @description Comma-separated event names to return. Events of contacts, suppressions, domains, campaigns, imports, exports and bulk actions are only included if you list them.
                 * @example message.delivered,message.bounced
                 */
                events?: string;
                /** @description The ID of the last event you have seen. The stream starts after it. The `Last-Event-ID` header has the same effect and takes precedence. If you set neither, the stream starts with new events. */
                after?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An event stream. It stays open until either side closes it. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Text to find in the name, slug or subject. */
                q?: string;
                /** @description `summary` returns compact objects without html, text, design and variables. Defaults to full objects. */
                view?: components["schemas"]["ListView"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                 *       "html": "<p>Thanks for signing up.</p>"
                 *     }
                 */
                "application/json": components["schemas"]["TemplateCreate"];
            };
        };
        responses: {
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description The ID or slug of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Whether to delete the template even if a list, sequence or unfinished campaign uses it. */
                force?: boolean;
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The ID or slug of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The ID or slug of the template. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description The ID or slug of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description The ID or slug of the template. */
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The older version. Defaults to the version before `to`. */
                from?: number;
                /** @description The newer version. Defaults to the current version. */
                to?: number;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description The ID or slug of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The ID or slug of the template. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The ID or slug of the template. */
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
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Created. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                 *       "html": "<p>Thanks for signing up.</p>",
                 *       "variables": {
                 *         "first_name": "Ann"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContentRender"];
            };
        };
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The ID or slug of the template. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The ID or slug of the template. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Text to find in the name. */
                q?: components["parameters"]["QQuery"];
                /** @description Also return the blocks of this sub-tenant. */
                sub_tenant_id?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The contact's ID or its URL-encoded address. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Part of the name. */
                q?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Part of the address or name. One or two letters match only the beginning of the address or of a word in the name. */
                q?: string;
                tag?: components["parameters"]["TagQuery"];
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["ContactStatus"][];
                /** @description Membership state. `pending` returns contacts who have signed up but not confirmed. */
                list_state?: components["schemas"]["ListMemberState"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMember"] | components["schemas"]["ListAddition"];
                };
            };
            /** @description Created. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
                /** @description The contact's ID or its URL-encoded address. */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The list to add the contacts to. Cannot be a segment. */
                list_id?: string;
                /** @description Comma-separated tags to add to every contact. */
                tags?: string;
                /** @description Which rows to import. `create_only` skips existing contacts, and `update_only` skips new ones. */
                mode?: components["schemas"]["ImportMode"];
                /** @description Whether to check every row without changing anything. An address that occurs in two distant rows is counted as new twice. */
                dry_run?: boolean;
                /** @description Maps columns or fields to contact fields by their name in the file, for example `columns[E-Mail]=email`. Targets are `email`, `name`, `first_name`, `last_name`, `phone`, `tags`, `status`, `metadata` (a JSON object), `sub_tenant_id`, `metadata.<key>` (a custom field) and `ignore`. Columns that you do not map are detected by name. A CSV file is rejected if an unknown column looks like a status, until you map it. */
                columns?: {
                    [key: string]: string;
                };
                sub_tenant_id?: string;
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. It has only a header if no rows were rejected. */
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
                /** @description Return only subscribed members of this list. */
                list_id?: string;
                tag?: components["parameters"]["TagQuery"];
                status?: components["schemas"]["ContactStatus"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
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
            /** @description The requested range. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Text to find in the name. */
                q?: components["parameters"]["QQuery"];
                /** @description `summary` returns compact objects without variants and settings. Defaults to full objects. */
                view?: components["schemas"]["ListView"];
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["CampaignStatus"][];
                list_id?: string;
                /** @description Return only campaigns of this sub-tenant. */
                sub_tenant_id?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "March newsletter",
                 *       "list_id": "lst_01j9z3k8q6v5w4x2y1r0n7m6a5",
                 *       "template_id": "tpl_01j9z3k8q6v5w4x2y1r0n7m6a5",
                 *       "segment_tag": "customers",
                 *       "variants": [
                 *         {
                 *           "tag": "vip",
                 *           "template_id": "tpl_01j9z3k8q6v5w4x2y1r0n7m6b6",
                 *           "subject": "An offer just for you"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CampaignCreate"];
            };
        };
        responses: {
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
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
                 *       "subject": "Our March newsletter",
                 *       "segment_tag": null
                 *     }
                 */
                "application/json": components["schemas"]["CampaignUpdate"];
            };
        };
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                 *       "name": "April newsletter"
                 *     }
                 */
                "application/json": components["schemas"]["CampaignDuplicate"];
            };
        };
        responses: {
            /** @description Created. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Return only this recipient's copy. */
                email?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Comma-separated; matches any. */
                state?: components["schemas"]["CampaignRecipientState"][];
                /** @description Results of the copy or the recipient's reactions. Opens and clicks by bots do not count, and a click implies an open. Comma-separated; matches any. */
                did?: components["schemas"]["CampaignRecipientDeed"][];
                /** @description Excludes recipients with these results. For example, `did=delivered&did_not=opened` returns recipients who received the email but have not opened it. Comma-separated; matches any. */
                did_not?: components["schemas"]["CampaignRecipientDeed"][];
                /** @description If `true`, return only recipients whose copy may or may not have arrived. If `false`, exclude them. */
                in_doubt?: boolean;
                email?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                 *       "subject": "A note for you, Ann",
                 *       "html": "<p>Hello {{first_name}}</p>"
                 *     }
                 */
                "application/json": components["schemas"]["CampaignOverridePut"];
            };
        };
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["SequenceStatus"][];
                /** @description Text to find in the name. */
                q?: components["parameters"]["QQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
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
                 *       "name": "Welcome series v2",
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
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["EnrollmentStatus"][];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Number of days (UTC), including today. Defaults to 30. Cannot be combined with `from` and `to`. */
                window_days?: number;
                /** @description Start of the period, as a date or time. The unit that contains it is included completely. */
                from?: string;
                /** @description End of the period (exclusive), by default now. */
                to?: string;
                /** @description Unit of the series. Defaults to `day`. Maximum period: 7 days within the last 32 for hours, 366 days for days, and 1,830 days for weeks and months. */
                unit?: components["schemas"]["AnalyticsUnit"];
                /** @description How to group the figures. `provider` is the provider of the recipients' mail servers. */
                group_by?: components["schemas"]["AnalyticsGroupBy"];
                tag?: string;
                campaign_id?: string;
                /** @description A provider, as returned with `group_by=provider`. */
                provider?: string;
                /** @description Return only messages of this sub-tenant. */
                sub_tenant_id?: components["parameters"]["SubTenantIdQuery"];
                type?: components["schemas"]["MessageType"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                 * @description An ID, a full address, or part of an address, name or subject.
                 * @example ann
                 */
                q: string;
                /** @description Object types to search, separated by commas. Defaults to all types. */
                type?: components["schemas"]["SearchResultType"][];
                /** @description Maximum number of results per type. */
                limit?: number;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                category?: components["schemas"]["BounceCategory"];
                cause?: components["schemas"]["BounceCause"];
                campaign_id?: string;
                /** @description Return only messages of this sub-tenant. */
                sub_tenant_id?: components["parameters"]["SubTenantIdQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Number of days (UTC), including today. */
                window_days?: number;
                /** @description Return only messages of this sub-tenant. */
                sub_tenant_id?: components["parameters"]["SubTenantIdQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Return only this domain. */
                domain?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The recipient domain. */
                domain: components["parameters"]["DomainPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The recipient domain. */
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
            /** @description Queued messages for one recipient domain. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The recipient domain. */
                domain: components["parameters"]["DomainPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued messages for one recipient domain. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of the source or smarthost. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Listed on a DNS blocklist"
                 *     }
                 */
                "application/json": components["schemas"]["SourceSuspendRequest"];
            };
        };
        responses: {
            /** @description A sending IP or smarthost. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of the source or smarthost. */
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
            /** @description A sending IP or smarthost. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description The `next` value of the previous response. */
                after?: number;
                /** @description Whether to include sender and recipient addresses. */
                addresses?: boolean;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description The recipient domain. */
                domain: components["parameters"]["DomainPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
                 *       "reason": "Primary IP is blocked there"
                 *     }
                 */
                "application/json": components["schemas"]["RouteRequest"];
            };
        };
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The ID of the message, sub-tenant or sender. */
                target_id?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Part of the address or name. One or two letters match only the beginning of the address or of a word in the name. */
                q?: string;
                tag?: components["parameters"]["TagQuery"];
                /** @description Comma-separated; matches any. */
                status?: components["schemas"]["ContactStatus"][];
                /** @description Return only subscribed members of this list, or contacts in this segment. */
                list_id?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description The contact's ID or its URL-encoded address. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The contact's ID or its URL-encoded address. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The contact's ID or its URL-encoded address. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                /** @description The contact's ID or its URL-encoded address. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description An ISO 8601 time with an offset (inclusive). */
                created_after?: string;
                /** @description An ISO 8601 time with an offset (exclusive). */
                created_before?: string;
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description Comma-separated; matches any. */
                reason?: components["schemas"]["SuppressionReason"][];
                /** @description Part of the address. */
                q?: string;
                /** @description Return only suppressions of this sub-tenant. */
                sub_tenant_id?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            /** @description Created. */
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
                /** @description Comma-separated; matches any. */
                reason?: components["schemas"]["SuppressionReason"][];
                /** @description Part of the address. */
                q?: string;
                /** @description Return only suppressions of this sub-tenant. */
                sub_tenant_id?: string;
                /** @description An ISO 8601 time with an offset (inclusive). */
                created_after?: string;
                /** @description An ISO 8601 time with an offset (exclusive). */
                created_before?: string;
                /** @description The file format. Defaults to the format in the `Accept` header, or CSV. */
                format?: "csv" | "jsonl";
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
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
                /** @description Check for messages of this sub-tenant. */
                sub_tenant_id?: string;
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Delete the suppression of this sub-tenant instead of the workspace's. */
                sub_tenant_id?: string;
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The URL-encoded address, or the ID of the suppression. */
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
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
            /** @description Created. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description Created at or after this date or ISO 8601 time with an offset. */
                created_after?: components["parameters"]["CreatedAfterQuery"];
                /** @description Created before this date or ISO 8601 time with an offset. */
                created_before?: components["parameters"]["CreatedBeforeQuery"];
                /** @description Sort order. Defaults to newest first (`-created_at`). */
                order?: components["parameters"]["OrderQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Second store",
                 *       "api_keys": true
                 *     }
                 */
                "application/json": components["schemas"]["WorkspaceCreate"];
            };
        };
        responses: {
            /** @description Created. */
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
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path: {
                id: components["parameters"]["IdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
                /** @description A unique key that makes the request safe to retry. A repeated request returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version you last read. If the object has changed since then, the request fails with 412 and nothing is changed. */
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
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                actor_id?: string;
                action?: string;
                target_id?: string;
                /** @description A date, or an ISO 8601 time with an offset (inclusive). */
                since?: components["parameters"]["SinceQuery"];
                /** @description A date, or an ISO 8601 time with an offset (exclusive). */
                until?: components["parameters"]["UntilQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maximum number of objects to return. */
                limit?: components["parameters"]["LimitQuery"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorQuery"];
                /** @description A status such as `422`, or a class such as `4xx`. */
                status?: string;
                method?: components["schemas"]["RequestMethod"];
                /** @description The start of the path. */
                path?: string;
                /** @description The ID of an API key or user. */
                actor_id?: string;
                /** @description Return only requests by API keys, or only requests by users in the dashboard. */
                actor_kind?: components["schemas"]["RequestActorKind"];
                /** @description The error code. */
                code?: string;
                /** @description A date, or an ISO 8601 time with an offset (inclusive). */
                since?: components["parameters"]["SinceQuery"];
                /** @description A date, or an ISO 8601 time with an offset (exclusive). */
                until?: components["parameters"]["UntilQuery"];
                /** @description The workspace, as in the `X-Workspace-Id` header. An API key accepts only its own workspace. */
                workspace_id?: components["parameters"]["WorkspaceIdQuery"];
                /** @description The environment, as in the `X-Environment` header. An API key accepts only its own environment. */
                environment?: components["parameters"]["EnvironmentQuery"];
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
                "X-Sub-Tenant-Id"?: components["parameters"]["SubTenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Maps columns or fields to contact fields by their name in the file, for example `columns[E-Mail]=email`. Targets are `email`, `name`, `first_name`, `last_name`, `phone`, `tags`, `status`, `metadata` (a JSON object), `sub_tenant_id`, `metadata.<key>` (a custom field) and `ignore`. Columns that you do not map are detected by name. A CSV file is rejected if an unknown column looks like a status, until you map it. */
                columns?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
                /** @description Limits the request to one sub-tenant. */
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
            /** @description Success. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
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
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated. */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The event name. */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /** @description The delivery ID, which is the same for every attempt. */
                "Service-Delivery": components["parameters"]["ServiceDelivery"];
                /** @description The attempt number, starting at 1. */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /** @description The ID of the original delivery. Only present on replays. */
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
            /** @description Received. Any other response is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
