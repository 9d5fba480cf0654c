/** Describes a device's request that a person in a browser lets it in (RFC 8628). */
export interface DeviceAuthorization {
  readonly deviceName: string
  readonly ip: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly intervalSeconds: number
  readonly polledAt: Date | null
  /** Names the person who claimed it. */
  readonly userId: string | null
  readonly decision: 'approved' | 'denied' | null
  /** Says whether the token gets the right to manage. */
  readonly manages: boolean
  readonly redeemedAt: Date | null
}

/** Limits the time that a person has to answer. */
export const deviceLifetimeSeconds = 600
/** Sets how long a device waits between two polls; five seconds more each time that it does not (RFC 8628 §3.5). */
export const deviceIntervalSeconds = 5
/** The clocks of two nodes differ, and the network takes longer one time than the other. */
const leewayMs = 1_000

/** Describes the answer to a device that polls for its token. */
export type Poll = 'pending' | 'too_early' | 'denied' | 'expired' | 'redeemed' | 'approved'

/** Decides the answer to a poll of the device. Does no I/O. */
export function judgePoll(authorization: DeviceAuthorization, now: Date): Poll {
  if (authorization.redeemedAt !== null) return 'redeemed'
  if (authorization.decision === 'denied') return 'denied'
  if (authorization.expiresAt <= now) return 'expired'
  if (authorization.decision === 'approved')
    return authorization.userId === null ? 'denied' : 'approved'
  const { polledAt, intervalSeconds } = authorization
  if (polledAt === null) return 'pending'
  const waitedMs = now.getTime() - polledAt.getTime()
  return waitedMs + leewayMs < intervalSeconds * 1000 ? 'too_early' : 'pending'
}

/** Returns the name of a device's token. Example: `signalbox login on ada-laptop`. */
export function nameDeviceToken({ deviceName }: Pick<DeviceAuthorization, 'deviceName'>): string {
  return `signalbox login on ${deviceName}`
}

/** With the words before it no longer than the name of a token may be. */
const deviceNameMax = 60

/** Returns the device's name for itself, or `undefined` when a person could be misled by it. */
export function readDeviceName(text: string | undefined): string | undefined {
  const name = (text ?? '').trim()
  if (name === '') return 'an unnamed device'
  // Controls, and what reverses or hides the text around it.
  return name.length > deviceNameMax || /[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? undefined : name
}
