/** How long a receiver may take: from the look-up of its name to the end of its answer. */
export const DELIVERY_TIMEOUT_MS = 15_000;
