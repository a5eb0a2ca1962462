const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether it can be an id of Xero's, which are GUIDs but for currencies and tax rates. */
export const isGuid = (text: string): boolean => GUID.test(text);
