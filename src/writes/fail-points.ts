/** Places where an experiment stops the process: nothing may be lost or duplicated at any of them. */
export const FAIL_POINTS = [
  'before upload is stored',
  'after upload is stored',
  'before claim',
  'after claim',
  'before items are marked',
  'after items are marked',
  'before send',
  'after send',
  'between the steps of a write',
  'before results are stored',
  'inside the storing transaction',
  'after results are stored',
] as const;
type FailPoint = (typeof FAIL_POINTS)[number];

/** Does nothing unless an experiment listens. */
let reach: (point: FailPoint) => void = () => undefined;

export const failPoint = (point: FailPoint): void => reach(point);

/**
 * Says what happens at the points, in the process of an experiment.
 *
 * @public
 */
export function onFailPoint(listener: (point: FailPoint) => void): void {
  reach = listener;
}
