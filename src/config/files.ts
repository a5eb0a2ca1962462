import { join, resolve } from 'node:path';
import { bucketName, flag, oneOf, text, webUrl } from './parsers.js';
import type { Variables } from './variables.js';

/** Where files are stored, those of the embedded database too. */
export interface FileSettings {
  readonly dataDir: string;
  /** Folder of stored files; with S3, of files being uploaded to it. */
  readonly fileDir: string;
  /** Null: files are stored in `fileDir`. */
  readonly s3: S3Settings | null;
}

/** A bucket of S3 or a compatible store; the SDK reads the credentials. */
export interface S3Settings {
  readonly bucket: string;
  /** Null: AWS. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly forcePathStyle: boolean;
}

const CREDENTIALS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
const FILE_STORES = ['local', 's3'] as const;

export function readFiles(variables: Variables): FileSettings {
  const dataDir = resolve(variables.read('DATA_DIR', text, '.data'));
  return {
    dataDir,
    fileDir: resolve(variables.read('FILE_DIR', text, join(dataDir, 'files'))),
    s3: variables.read('FILE_STORE', oneOf(FILE_STORES), 'local') === 's3' ? readS3(variables) : null,
  };
}

/** Says that a bucket is given and not used: files in a container's own folder are lost with it. */
export const unusedBucket = ({ S3_BUCKET, FILE_STORE }: NodeJS.ProcessEnv): string[] =>
  S3_BUCKET?.trim() && !FILE_STORE?.trim()
    ? ['S3_BUCKET is not used without FILE_STORE=s3: files are kept in FILE_DIR']
    : [];

function readS3(variables: Variables): S3Settings {
  const bucket = variables.read<string | null>('S3_BUCKET', bucketName, null);
  const endpoint = variables.read<string | null>('S3_ENDPOINT', webUrl, null);
  // The SDK reads them.
  for (const variable of CREDENTIALS) variables.read<string | null>(variable, text, null);
  if (!variables.isGiven('S3_BUCKET')) variables.refuse('S3_BUCKET is needed with FILE_STORE=s3');
  return {
    bucket: bucket ?? '',
    endpoint,
    region: variables.read('S3_REGION', text, variables.read('AWS_REGION', text, 'us-east-1')),
    forcePathStyle: variables.read('S3_FORCE_PATH_STYLE', flag, endpoint !== null),
  };
}
