import { writeText } from './writer.js';

/** Time and id of a request. */
export interface RequestReceipt {
  readonly requestId: string;
  readonly receivedAt: Date;
}

/** Envelope A (Reference 2.1). `data` is JSON text. */
export function envelopeA(data: string, { requestId, receivedAt }: RequestReceipt): string {
  return `{"data":${data},"request_id":${writeText(requestId)},"request_timestamp":"${receivedAt.toISOString()}","response_timestamp":"${new Date().toISOString()}"}`;
}

interface CursorPage {
  readonly data: string;
  readonly next: string | null;
  readonly prev: string | null;
  readonly totalCount: number | null;
}

/** Envelope B (Reference 2.1): always all four fields. */
export function envelopeB({ data, next, prev, totalCount }: CursorPage): string {
  return `{"data":${data},"next":${text(next)},"prev":${text(prev)},"total_count":${totalCount}}`;
}

/** Envelope C (Reference 2.1). */
export function envelopeC(data: string): string {
  return `{"data":${data}}`;
}

const text = (value: string | null): string => (value === null ? 'null' : writeText(value));
