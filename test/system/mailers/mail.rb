# Sends by Ruby's mail library through the relay: mail.rb PORT KEY DOMAIN
require 'mail'

port, key, domain = ARGV
to = "ruby-mail@#{domain}"
Mail.defaults do
  delivery_method :smtp, address: '127.0.0.1', port: port.to_i, user_name: 'key', password: key,
                         authentication: :plain, enable_starttls_auto: true, openssl_verify_mode: 'none'
end

mail = Mail.new do
  from '"Jörg Müller, Söhne" <orders@shop.example>'
  to "\"Smith, Ann\" <#{to}>"
  cc "\"Çelik\" <cc.#{to}>"
  bcc "bcc.#{to}"
  reply_to 'Hilfe <help@elsewhere.example>'
  subject 'Grüße von "Müller & Söhne"'
end
mail.charset = 'UTF-8'
mail.attachments['Rechnung März.pdf'] = { mime_type: 'application/pdf', content: '%PDF file' }
mail.attachments.inline['logo.png'] = { mime_type: 'image/png', content: "\x89PNG inline".b }
cid = mail.attachments['logo.png'].cid
mail.text_part = Mail::Part.new { content_type 'text/plain; charset=UTF-8'; body 'Schöne Grüße' }
mail.html_part = Mail::Part.new do
  content_type 'text/html; charset=UTF-8'
  body "<p>Schöne Grüße <img src=\"cid:#{cid}\"></p>"
end
mail.header['X-Order'] = '4711'
mail.header['X-Mailgun-Tag'] = 'welcome'
mail.header['X-Mailgun-Variables'] = '{"order": "4711"}'
begin
  mail.deliver!
  puts 'smtp whole sent'
rescue StandardError => e
  puts "smtp whole FAILED #{e.message}"
end
