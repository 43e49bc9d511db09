<?php
// Sends by Symfony Mailer through the bridges and by SMTP: symfony.php URL KEY DOMAIN PORT

use Symfony\Component\HttpClient\HttpClient;
use Symfony\Component\Mailer\Bridge\Mailgun\Transport\MailgunApiTransport;
use Symfony\Component\Mailer\Bridge\Mailgun\Transport\MailgunHttpTransport;
use Symfony\Component\Mailer\Bridge\Postmark\Transport\PostmarkApiTransport;
use Symfony\Component\Mailer\Bridge\Sendgrid\Transport\SendgridApiTransport;
use Symfony\Component\Mailer\Header\MetadataHeader;
use Symfony\Component\Mailer\Header\TagHeader;
use Symfony\Component\Mailer\Transport\Smtp\EsmtpTransport;
use Symfony\Component\Mime\Address;
use Symfony\Component\Mime\Email;
use Symfony\Contracts\HttpClient\HttpClientInterface;
use Symfony\Contracts\HttpClient\ResponseInterface;
use Symfony\Contracts\HttpClient\ResponseStreamInterface;

const LIBRARY = '/usr/share/php/Symfony/';
require LIBRARY . 'Component/Mailer/autoload.php';
require LIBRARY . 'Component/HttpClient/autoload.php';
foreach (['Mailgun', 'Postmark', 'Sendgrid'] as $bridge) {
    require LIBRARY . "Component/Mailer/Bridge/$bridge/autoload.php";
}

[, $url, $key, $domain, $port] = $argv;

/** The transports ask by https; the server of the test answers without TLS. */
final class PlainClient implements HttpClientInterface
{
    public function __construct(private HttpClientInterface $client)
    {
    }

    public function request(string $method, string $url, array $options = []): ResponseInterface
    {
        return $this->client->request($method, preg_replace('/^https:/', 'http:', $url), $options);
    }

    public function stream($responses, ?float $timeout = null): ResponseStreamInterface
    {
        return $this->client->stream($responses, $timeout);
    }

    public function withOptions(array $options): static
    {
        return new self($this->client->withOptions($options));
    }
}

function email(string $to): Email
{
    $email = (new Email())
        ->from(new Address('orders@shop.example', 'Jörg Müller, Söhne'))
        ->to(new Address($to, 'Smith, Ann'))
        ->cc(new Address("cc.$to", 'Çelik'))
        ->bcc("bcc.$to")
        ->replyTo(new Address('help@elsewhere.example', 'Hilfe'))
        ->subject('Grüße von "Müller & Söhne"')
        ->text('Schöne Grüße')
        ->html('<p>Schöne Grüße <img src="cid:logo.png"></p>')
        ->embed("\x89PNG inline", 'logo.png', 'image/png')
        ->attach('%PDF file', 'Rechnung März.pdf', 'application/pdf');
    $email->getHeaders()->addTextHeader('X-Order', '4711');
    return $email;
}

$client = new PlainClient(HttpClient::create());
$host = preg_replace('#^https?://#', '', $url) . '/compat/';
$smtp = new EsmtpTransport('127.0.0.1', (int) $port);
$smtp->getStream()->setStreamOptions(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
$smtp->setUsername('key')->setPassword($key);
$transports = [
    'postmark' => (new PostmarkApiTransport($key, $client))->setHost($host . 'postmark'),
    'sendgrid' => (new SendgridApiTransport($key, $client))->setHost($host . 'sendgrid'),
    'mailgun' => (new MailgunApiTransport($key, 'shop.example', null, $client))->setHost($host . 'mailgun'),
    'mailgun-mime' => (new MailgunHttpTransport($key, 'shop.example', null, $client))->setHost($host . 'mailgun'),
    'smtp' => $smtp,
];
foreach ($transports as $name => $transport) {
    $email = email("symfony-$name@$domain");
    if ($name === 'smtp') {
        $email->getHeaders()->addTextHeader('X-PM-Tag', 'welcome')->addTextHeader('X-PM-Metadata-order', '4711');
    } else {
        $email->getHeaders()->add(new TagHeader('welcome'))->add(new MetadataHeader('order', '4711'));
    }
    try {
        $transport->send($email);
        echo "$name whole sent\n";
    } catch (Throwable $error) {
        echo "$name whole FAILED ", str_replace("\n", ' | ', substr($error->getMessage(), 0, 2000)), "\n";
    }
}
