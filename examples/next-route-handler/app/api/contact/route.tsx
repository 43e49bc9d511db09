// POST /api/contact: sends a contact form to the people who run the site.
import { ConflictError, ConnectionError, Mailkeel, RateLimitError } from '@mailkeel/sdk';

const MAX_BODY_BYTES = 20_000;

interface ContactForm {
  /** Created once by the page. A double click or a repeated request then sends only one message. */
  form_id: string;
  name: string;
  email: string;
  message: string;
}

/** Renders the message. React escapes the visitor's text, so it cannot contain markup. */
function ContactEmail({ form }: { form: ContactForm }) {
  return (
    <html lang="en">
      <body>
        <p>
          {form.name} (<a href={`mailto:${form.email}`}>{form.email}</a>) wrote:
        </p>
        <p style={{ whiteSpace: 'pre-wrap' }}>{form.message}</p>
      </body>
    </html>
  );
}

export async function POST(request: Request): Promise<Response> {
  const body = await request.text();
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) return refuse(413, 'The message is too long.');
  const form = readForm(body);
  if (form === null) return refuse(422, 'Fill in form_id, name, email and message.');

  // Create the client here and not at the top of the file: `next build` loads this file without a key.
  const mailkeel = new Mailkeel({ timeoutMs: 5_000 });
  try {
    const { id } = await mailkeel.messages.create(
      {
        // Use your own address. A message from the visitor's domain would fail its authentication checks.
        from: setting('CONTACT_FROM'),
        to: setting('CONTACT_TO'),
        // If the organization's reply_to_policy is "any", add: reply_to: form.email
        subject: `Contact form: ${form.name}`,
        react: <ContactEmail form={form} />,
        tags: ['contact-form'],
      },
      // If the browser disconnects, the call is aborted too.
      { idempotencyKey: `contact-${form.form_id}`, signal: request.signal },
    );
    return Response.json({ id }, { status: 202 });
  } catch (error) {
    return refusalFor(error);
  }
}

function refusalFor(error: unknown): Response {
  // The visitor changed a form that was already sent. Each form sends one message.
  if (error instanceof ConflictError) return refuse(409, 'This form has been sent already.');
  // These errors are temporary. The SDK has already retried twice.
  if (error instanceof RateLimitError || error instanceof ConnectionError) {
    return refuse(503, 'The message could not be sent just now. Try again in a minute.');
  }
  // Your framework logs any other error. Its message is for you, not for the visitor.
  throw error;
}

function readForm(body: string): ContactForm | null {
  const fields = readJson(body);
  const text = (name: keyof ContactForm): string => {
    const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : null;
    return typeof value === 'string' ? value.trim() : '';
  };
  const form = {
    form_id: text('form_id'),
    name: text('name'),
    email: text('email'),
    message: text('message'),
  };
  const isWhole =
    /^[\w-]{8,64}$/.test(form.form_id) && /^[^\s@]+@[^\s@]+$/.test(form.email) && form.message !== '';
  // A line break in the name would break the subject.
  return isWhole && /^[^\r\n]{1,100}$/.test(form.name) ? form : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`Set ${name} in the environment.`);
  return value;
}

function refuse(status: number, message: string): Response {
  return Response.json({ message }, { status });
}
