import { randomUUID } from 'node:crypto';

/** The folder of a company's files. Only ids of ours go into names: nothing that a caller or a platform wrote. */
export function companyFolder(organisationId: number, svcCompanyId: number): string {
  return `${organisationId}/${svcCompanyId}`;
}

/** A key that no file has yet. */
export function createFileKey(organisationId: number, svcCompanyId: number): string {
  return `${companyFolder(organisationId, svcCompanyId)}/${randomUUID()}`;
}

const FOLDER = /^\d{1,16}\/\d{1,16}$/;
const KEY = /^\d{1,16}\/\d{1,16}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws on a key that could escape the store, which is a bug of the caller. */
export function checkKey(key: string): string {
  if (KEY.test(key)) return key;
  throw new Error('this is not the key of a file');
}

export function checkFolder(folder: string): string {
  if (FOLDER.test(folder)) return folder;
  throw new Error('this is not a folder of files');
}
