import { describe, expect, test } from '@jest/globals';
import { headerText } from '../src/base/header-text.js';

describe('headerText', () => {
  test.each([
    ['sync_config[0].colour, a=b; "c"', 'sync_config[0].colour, a=b; "c"'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['a\r\nb\u007f', 'a%0D%0Ab%7F'],
    ['100 %', '100 %25'],
    ['🙂', '%F0%9F%99%82'],
  ])('%j is %s, which decodes to it', (text, written) => {
    expect(headerText(text)).toBe(written);
    expect(decodeURIComponent(written)).toBe(text);
  });

  test('replaces half a surrogate pair', () => {
    expect(headerText('a\ud83d')).toBe('a%EF%BF%BD');
  });

  test('ends with a whole character', () => {
    expect(headerText('aböc', 7)).toBe('ab');
    expect(headerText('aböc', 8)).toBe('ab%C3%B6');
  });
});
