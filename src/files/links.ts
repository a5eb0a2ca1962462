import type { Signer } from '../secrets/signer.js';

/** The target of a link: this version of a document's file. */
export interface FileGrant {
  readonly organisationId: number;
  readonly svcCompanyId: number;
  readonly documentSvcId: number;
  readonly storeKey: string;
}

/** Creates and verifies the tokens in file URLs. Stateless: every process can do it. */
export interface FileLinks {
  issue(grant: FileGrant): { readonly token: string; readonly expiresAt: Date };
  /** Null for a forged or expired token. */
  open(token: string): FileGrant | null;
}

/** Purpose of the derived keys. */
export const LINK_PURPOSE = 'file links';
const ID_BYTES = 8;
const TIME_BYTES = 6;
const UUID_BYTES = 16;
const PAYLOAD_BYTES = 3 * ID_BYTES + TIME_BYTES + UUID_BYTES;

export function createFileLinks(options: {
  readonly signer: Signer;
  /** How long a token works. */
  readonly seconds: number;
  readonly now: () => Date;
}): FileLinks {
  const { signer, seconds, now } = options;
  return {
    issue: (grant) => {
      const expiresAt = new Date(now().getTime() + seconds * 1000);
      return { token: signer.sign(written(grant, expiresAt)), expiresAt };
    },
    open: (token) => {
      const payload = signer.open(token);
      if (payload?.length !== PAYLOAD_BYTES) return null;
      return payload.readUIntBE(3 * ID_BYTES, TIME_BYTES) < now().getTime() ? null : read(payload);
    },
  };
}

function written(grant: FileGrant, expiresAt: Date): Buffer {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  const { organisationId, svcCompanyId, documentSvcId } = grant;
  [organisationId, svcCompanyId, documentSvcId].forEach((id, index) =>
    payload.writeBigUInt64BE(BigInt(id), index * ID_BYTES),
  );
  payload.writeUIntBE(expiresAt.getTime(), 3 * ID_BYTES, TIME_BYTES);
  const uuid = grant.storeKey.slice(-36).replaceAll('-', '');
  payload.write(uuid, 3 * ID_BYTES + TIME_BYTES, 'hex');
  return payload;
}

function read(payload: Buffer): FileGrant {
  const id = (index: number) => Number(payload.readBigUInt64BE(index * ID_BYTES));
  const [organisationId, svcCompanyId, documentSvcId] = [id(0), id(1), id(2)];
  const hex = payload.subarray(-UUID_BYTES).toString('hex');
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const storeKey = `${organisationId}/${svcCompanyId}/${uuid}`;
  return { organisationId, svcCompanyId, documentSvcId, storeKey };
}

/** Path of files; the token follows. */
export const FILE_PATH = '/v3/files';
