// The library's command parser with a data phase of our own: its own takes some hundred times longer for lines that begin
// with a dot, which a stranger may send by the million.
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { createDotReader, type DotReader } from './dot-reader.js';

type Done = (error?: Error | null) => void;

export class SmtpStream extends SMTPStream {
  private dots: DotReader = createDotReader();

  override startDataMode(maxBytes?: number | string | null): ReturnType<SMTPStream['startDataMode']> {
    this.dots = createDotReader();
    return super.startDataMode(maxBytes);
  }

  override _feedDataStream(octets: Buffer, done: Done): void {
    const stream = this._dataStream;
    if (stream === null) {
      done();
      return;
    }
    const { content, rest } = this.dots.read(octets);
    this._countDataBytes(content.length);
    if (rest !== null) {
      this._endDataMode(content, rest, done);
      return;
    }
    if (content.length === 0 || !stream.writable || stream.write(content)) {
      done();
      return;
    }
    // One that is destroyed never drains, it only closes.
    const goOn = (): void => {
      stream.removeListener('drain', goOn);
      stream.removeListener('close', goOn);
      done();
    };
    stream.once('drain', goOn);
    stream.once('close', goOn);
  }
}
