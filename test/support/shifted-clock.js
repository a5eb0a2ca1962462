// Loaded before a process's program: sets its clock CLOCK_SHIFT_HOURS ahead of the machine's.
const shift = Number(process.env.CLOCK_SHIFT_HOURS) * 3_600_000;
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }
  static now() {
    return RealDate.now() + shift;
  }
};
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + shift });
