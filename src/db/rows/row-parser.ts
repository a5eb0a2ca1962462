import type { Duplex } from 'node:stream';
import { DataRowMessage } from 'pg-protocol/dist/messages.js';
import { Parser as ProtocolParser } from 'pg-protocol/dist/parser.js';

/** Undeclared members of pg's parser and connections. A reason for exact versions. */
interface Internals {
  /** One message: its body begins at `offset`; `length` includes its own four bytes. */
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): unknown;
  parse(buffer: Buffer, callback: (message: Message) => void): void;
}
interface Message {
  readonly name: string;
}
export interface Connection {
  _emitMessage: boolean;
  attachListeners(stream: Duplex): void;
  emit(event: string, message: Message): void;
}
const Parser = ProtocolParser as unknown as new () => Internals;

const DATA_ROW = 0x44;
const LENGTH_BYTES = 4;

/**
 * pg's parser, except for rows: pg decodes each value by a call into C++, a fifth of the cost of a page of records.
 * Here a row is decoded to one string, and its values are slices of that.
 */
class RowParser extends Parser {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): unknown {
    if (code !== DATA_ROW) return super.handlePacket(offset, code, length, bytes);
    const size = length - LENGTH_BYTES;
    const text = bytes.toString('utf8', offset, offset + size);
    // A character's UTF-16 units equal its UTF-8 bytes only in ASCII, and are fewer otherwise: here text offsets equal
    // byte offsets. The lengths between the values decode to garbage, which is not read.
    if (text.length !== size) return super.handlePacket(offset, code, length, bytes);
    return new DataRowMessage(length, fieldsOf(text, bytes, offset));
  }
}

function fieldsOf(text: string, bytes: Buffer, offset: number): (string | null)[] {
  const count = bytes.readInt16BE(offset);
  const fields = new Array<string | null>(count);
  let place = 2;
  for (let index = 0; index < count; index += 1) {
    const length = bytes.readInt32BE(offset + place);
    place += LENGTH_BYTES;
    fields[index] = length === -1 ? null : text.substring(place, place + length);
    if (length > 0) place += length;
  }
  return fields;
}

/** Makes a pg connection use it. Must be called before it connects. */
export function readRowsFast(connection: Connection): void {
  connection.attachListeners = (stream) => {
    const parser = new RowParser();
    const tell = (message: Message): void => {
      if (connection._emitMessage) connection.emit('message', message);
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    };
    stream.on('data', (buffer: Buffer) => parser.parse(buffer, tell));
  };
}
