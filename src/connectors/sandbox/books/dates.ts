import { textOf } from '../../values/platform-values.js';
import { isCalendarDay } from '../../values/times.js';

const DAY = /^(\d{2})\.(\d{2})\.(\d{4})$/;

/** A calendar day as `YYYY-MM-DD`; Books writes `DD.MM.YYYY`. */
export function dayOf(value: unknown): string | null {
  const parts = DAY.exec(textOf(value) ?? '');
  if (!parts) return null;
  const [, day = '', month = '', year = ''] = parts;
  const iso = `${year}-${month}-${day}`;
  return isCalendarDay(iso) ? iso : null;
}
