/** Where `npm run listen` listens. */
export const LISTENER_URL = 'http://127.0.0.1:4010/events';
