import { ERROR_TABLE, type ErrorCode } from '../errors.js';
import type { SchemaErrorCode } from './__generated__/resolvers.js';

const CODES = new Map(
  (Object.keys(ERROR_TABLE) as ErrorCode[]).map((code) => [
    code.toUpperCase().replaceAll('-', '_') as SchemaErrorCode,
    code,
  ]),
);
const NAMES = new Map([...CODES].map(([name, code]) => [code, name]));

/** The enum's value for a code of the table: `INVALID_PARAMS` for `invalid-params`. */
export const toErrorCodeName = (code: ErrorCode): SchemaErrorCode => NAMES.get(code) ?? 'INTERNAL_ERROR';

/** The code of the table for a value of the enum. */
export const toErrorCode = (name: string): ErrorCode =>
  CODES.get(name as SchemaErrorCode) ?? 'internal-error';
