const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether the text can be an id of Xero's: all are GUIDs, except for currencies and tax rates. */
export const isGuid = (text: string): boolean => GUID.test(text);

/** Xero's id of an object that was not stored. */
export const NIL_GUID = '00000000-0000-0000-0000-000000000000';
