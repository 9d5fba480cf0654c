/**
 * Returns a time zone in which it is noon, or less than an hour later. A test of what is shown by the day runs on that page
 * at any hour of the machine: two hours ago is today, and a minute more is no other day. None of these zones changes its clocks.
 */
export function noonZone(at: Date = new Date()): string {
  const ahead = 12 - at.getUTCHours()
  // Their signs are those of POSIX: west of Greenwich is positive.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
