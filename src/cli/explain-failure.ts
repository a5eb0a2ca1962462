import { databaseError, hiddenReason, isTooSlow } from '../db/database-error.js';
import { AppError } from '../errors.js';

/** Errors that are not bugs: their message suffices. */
const EXPECTED = new Set(['ConfigError', 'DataFolderError', 'MigrationError']);

/** PostgreSQL's code for a missing privilege. */
const NOT_ALLOWED = '42501';

/** Text to print when the service or a command fails: a message, or a stack for a bug. */
export function explainFailure(error: unknown): string {
  const {
    name = '',
    code,
    message = String(error),
    stack,
  } = (error ?? {}) as Partial<Error> & {
    code?: string;
  };
  if (error instanceof AppError) return withReason(error);
  if (EXPECTED.has(name)) return message;
  const { port, address, hostname, syscall, path, setting } = (error ?? {}) as {
    /** The setting at fault, if not PORT or HOST. */
    setting?: string;
    port?: number;
    address?: string;
    hostname?: string;
    syscall?: string;
    path?: string;
  };
  if (code === 'EADDRINUSE')
    return `port ${port} is in use at ${address}: stop what runs there, or set ${setting ?? 'PORT'}`;
  if (code === 'EACCES' && port)
    return `port ${port} needs more rights: set ${setting ?? 'PORT'} to one above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${setting ?? 'HOST'}: this machine has no address ${address ?? hostname ?? ''}`;
  // For a folder or file: the message names it.
  if (syscall !== undefined && path !== undefined) return message;
  const known = databaseError(error);
  if (known instanceof AppError) return withReason(known);
  if (code === NOT_ALLOWED) return `the database's login may not do this: ${message}${adviceOn(message)}`;
  return stack ?? message;
}

/** The service's tables and functions refuse only a login that did not make them. */
const adviceOn = (message: string): string =>
  /^(permission denied for (table|view|sequence|function)|must be owner of) /.test(message)
    ? '. Another login made it: the login of DATABASE_URL must own the tables'
    : '';

function withReason(error: AppError): string {
  // Its words are for callers.
  if (isTooSlow(error)) {
    const { message } = error.cause as Error;
    return `the database ended a statement: ${message}. Raise statement_timeout of the login of DATABASE_URL, or LIMIT_STATEMENT_MILLISECONDS`;
  }
  const reason = hiddenReason(error);
  return reason === '' ? error.message : `${error.message}: ${reason}`;
}
