import { expect } from '@jest/globals';

import { toWirePath } from '../../../src/base/names.js';
import { type PlatformObject } from '../../../src/connectors/platform.js';
import {
  formOf as formFor,
  type References,
  type WriteForm,
  type WriteOperation,
} from '../../../src/connectors/push.js';
import { stringifyPlatformJson } from '../../../src/connectors/values/platform-json.js';
import { zohoPushes } from '../../../src/connectors/zoho/push/index.js';
import { checkItem } from '../../../src/writes/checks/check-item.js';

export function resourceOf(dataModel: string) {
  const found = zohoPushes.resources.find(({ definition }) => definition.dataModel === dataModel);
  if (!found) throw new Error(`${dataModel} is not written`);
  return found;
}

export function formOf(dataModel: string, operation: WriteOperation): WriteForm {
  const form = formFor(resourceOf(dataModel), operation);
  if (!form) throw new Error(`${dataModel} has no ${operation}`);
  return form;
}

export function problemOf(dataModel: string, operation: WriteOperation, item: object) {
  const { problem } = checkItem(formOf(dataModel, operation), item, operation);
  return problem && [problem.code, toWirePath(problem.path).join('.'), problem.words];
}

export const NOTHING_KNOWN: References = { valueOf: () => null, rawValueOf: () => null };

interface Known {
  readonly current?: PlatformObject | null;
  readonly references?: References;
}

/** The request of an item, where Zoho has the object like that; numbers are plain. */
export function requestOf(
  dataModel: string,
  operation: WriteOperation,
  item: object,
  { current = null, references = NOTHING_KNOWN }: Known = {},
): { path: string; method: string; query?: object; body: Record<string, any> } {
  const form = formOf(dataModel, operation);
  const { value, problem } = checkItem(form, item, operation);
  expect(problem).toBeNull();
  expect(form.readsCurrent?.(value ?? {}) ?? false).toBe(current !== null);
  const request = form.toRequest(value ?? {}, { references, marker: 'svc-1', current });
  return JSON.parse(stringifyPlatformJson(request)) as never;
}

export const bodyOf = (dataModel: string, item: object, references = NOTHING_KNOWN) =>
  requestOf(dataModel, 'CREATE', item, { references }).body;
