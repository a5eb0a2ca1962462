import { AppError } from '../errors.js';

/** An error whose message is a sentence for the end customer, to be shown as it is. */
export class CustomerError extends AppError {}
