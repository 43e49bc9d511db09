<?php
// Sends by PHPMailer through the relay: phpmailer.php PORT KEY DOMAIN

use PHPMailer\PHPMailer\PHPMailer;

require '/usr/share/php/libphp-phpmailer/autoload.php';

[, $port, $key, $domain] = $argv;
$to = "phpmailer@$domain";

$mail = new PHPMailer(true);
$mail->isSMTP();
$mail->Host = '127.0.0.1';
$mail->Port = (int) $port;
$mail->SMTPAuth = true;
$mail->SMTPSecure = PHPMailer::ENCRYPTION_STARTTLS;
$mail->SMTPOptions = ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false, 'allow_self_signed' => true]];
$mail->Username = 'key';
$mail->Password = $key;
$mail->CharSet = PHPMailer::CHARSET_UTF8;
$mail->setFrom('orders@shop.example', 'Jörg Müller, Söhne');
$mail->addAddress($to, 'Smith, Ann');
$mail->addCC("cc.$to", 'Çelik');
$mail->addBCC("bcc.$to");
$mail->addReplyTo('help@elsewhere.example', 'Hilfe');
$mail->Subject = 'Grüße von "Müller & Söhne"';
$mail->isHTML();
$mail->Body = '<p>Schöne Grüße <img src="cid:logo"></p>';
$mail->AltBody = 'Schöne Grüße';
$mail->addStringEmbeddedImage("\x89PNG inline", 'logo', 'logo.png', PHPMailer::ENCODING_BASE64, 'image/png');
$mail->addStringAttachment('%PDF file', 'Rechnung März.pdf', PHPMailer::ENCODING_BASE64, 'application/pdf');
$mail->addCustomHeader('X-Order', '4711');
$mail->addCustomHeader('X-SMTPAPI', json_encode(['category' => 'welcome', 'unique_args' => ['order' => '4711']]));
try {
    $mail->send();
    echo "smtp whole sent\n";
} catch (Throwable $error) {
    echo 'smtp whole FAILED ', $error->getMessage(), "\n";
}
