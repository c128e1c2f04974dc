// Clocks of a table: what the server sent, counted down here between its messages.

/** A clock's reading taken at this moment: `{ left: { black, white }, running }` in milliseconds. */
export const reading = (clock, now = performance.now()) =>
  clock && { left: clock.left_ms, running: clock.running, since: now };

/** Milliseconds left for a side now. */
export function left(read, side, now = performance.now()) {
  const spent = read.running === side ? now - read.since : 0;
  return Math.max(0, read.left[side] - spent);
}

/** As clocks show it: 4:05, or 0:09.3 when it matters. */
export function shown(milliseconds) {
  const low = milliseconds < 20000;
  const total = low ? Math.floor(milliseconds / 100) / 10 : Math.ceil(milliseconds / 1000);
  const [minutes, seconds] = [Math.floor(total / 60), total % 60];
  const hours = Math.floor(minutes / 60);
  const tail = low ? seconds.toFixed(1).padStart(4, '0') : String(seconds).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

export const isLow = (milliseconds) => milliseconds < 20000;
