import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import type { S3Settings } from '../config/files.js';
import { AppError } from '../errors.js';
import { checkFolder, checkKey } from './file-key.js';
import { type FileStore, putting } from './file-store.js';
import { openIncoming } from './incoming.js';
import { checkPlace } from './place.js';
import { statusOf } from './refusal.js';

const CONNECT_MS = 5000;
/** Timeout without a byte received. */
const SILENCE_MS = 30_000;

const nothing = () => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * Files in a bucket of S3 or a compatible store. A file is first received on this machine, in `folder`: then its size
 * is known, and it is uploaded in one request. Throws if either cannot be used.
 */
export async function openS3Store(settings: S3Settings, folder: string): Promise<FileStore> {
  await checkPlace(folder, ['incoming']);
  // Loading takes half a second, so only for those who use it.
  const sdk = await import('@aws-sdk/client-s3');
  const { bucket: Bucket, endpoint, region, forcePathStyle } = settings;
  const client = new sdk.S3Client({
    region,
    forcePathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    // Many compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Errors are thrown, and logged once by the caller that catches them.
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
  });
  await explainFailure(client.send(new sdk.HeadBucketCommand({ Bucket })), settings);
  const incoming = await openIncoming(join(folder, 'incoming'));
  const receive: FileStore['receive'] = async (content) => {
    const { path, ...file } = await incoming.receive(content);
    const keep = async (key: string) => {
      const Body = createReadStream(path);
      const unreadable = new AbortController();
      // The SDK does not listen for errors; and if the bucket refuses before the file is open, the file may be gone by
      // then.
      Body.once('error', (error) => unreadable.abort(error));
      const object = { Bucket, Key: checkKey(key), Body, ContentLength: file.size };
      await client
        .send(new sdk.PutObjectCommand(object), { abortSignal: unreadable.signal })
        .finally(() => Body.destroy());
    };
    return { ...file, keep };
  };
  return {
    receive,
    put: putting(receive),
    has: async (key) =>
      (await orNull(client.send(new sdk.HeadObjectCommand({ Bucket, Key: checkKey(key) })))) !== null,
    read: async (key, range) => {
      const Range = range && `bytes=${range.first}-${range.last}`;
      const found = await orNull(
        client.send(new sdk.GetObjectCommand({ Bucket, Key: checkKey(key), ...(Range ? { Range } : {}) })),
      );
      if (!found) return null;
      const body = found.Body as Readable;
      if (!range || found.ContentLength === range.last - range.first + 1) return body;
      body.on('error', nothing).destroy();
      throw new Error(`the bucket answers with ${found.ContentLength} bytes where ${Range} were asked for`);
    },
    remove: async (key, abortSignal) => {
      const object = { Bucket, Key: checkKey(key) };
      await client.send(new sdk.DeleteObjectCommand(object), abortSignal && { abortSignal });
    },
    removeFolder: async (name) => {
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: `${checkFolder(name)}/` });
      for await (const { Contents = [] } of pages) {
        const Objects = Contents.map(({ Key }) => ({ Key }));
        if (Objects.length === 0) continue;
        const { Errors = [] } = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        if (Errors[0]) throw new Error(`${Errors.length} files could not be removed: ${Errors[0].Code}`);
      }
    },
  };
}

async function explainFailure(probe: Promise<unknown>, { bucket, endpoint }: S3Settings): Promise<void> {
  try {
    await probe;
  } catch (cause) {
    const words = `names the bucket ${bucket} at ${endpoint ?? 'AWS'}, which cannot be used: ${reasonOf(cause)}`;
    throw new AppError('invalid-params', words, 'FILE_STORE', { cause });
  }
}

const WRAPPING = /^.*\bAWS SDK error wrapper for Error: /;

function reasonOf(error: unknown): string {
  const status = statusOf(error);
  if (status === 404) return 'there is no such bucket';
  if (status === 403) return 'the credentials may not use it';
  if (status === 301) return 'it is in another region, set S3_REGION';
  const { name = '', message = '', cause } = error as Partial<Error>;
  if (name === 'CredentialsProviderError') {
    return 'there are no credentials, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  }
  // The SDK wraps network errors.
  const said = name === 'Error' ? message : `${name}: ${message}`;
  return (cause instanceof Error ? cause.message : said).replace(WRAPPING, '');
}

async function orNull<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
