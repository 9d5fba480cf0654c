import type { Tx } from '../../store/store.ts'
import type { DeviceAuthorization } from './device-authorization.ts'

interface NewDeviceRow extends Pick<
  DeviceAuthorization,
  'deviceName' | 'ip' | 'createdAt' | 'expiresAt' | 'intervalSeconds'
> {
  readonly deviceCodeHash: Buffer
  readonly userCodeHash: Buffer
}

const columns = `device_name as "deviceName", ip, created_at as "createdAt", expires_at as "expiresAt",
  interval_seconds as "intervalSeconds", polled_at as "polledAt", user_id as "userId", decision,
  manages, redeemed_at as "redeemedAt"`

/** Stores the request of a device. Returns whether the user code was free. */
export async function insertDeviceRow(tx: Tx, row: NewDeviceRow): Promise<boolean> {
  const rows = await tx.query({
    name: 'insert-device-authorization',
    text: `insert into device_authorizations (device_code_hash, user_code_hash, device_name, ip, created_at, expires_at,
        interval_seconds) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
    values: [
      row.deviceCodeHash,
      row.userCodeHash,
      row.deviceName,
      row.ip,
      row.createdAt,
      row.expiresAt,
      row.intervalSeconds,
    ],
  })
  return rows.length > 0
}

/** Claims a code for the first person who opens it, and for no other: of two at once the second waits and gets nothing. */
export async function claimDeviceRow(
  tx: Tx,
  { userCodeHash, userId, now }: { userCodeHash: Buffer; userId: string; now: Date },
): Promise<DeviceAuthorization | undefined> {
  const [row] = await tx.query<DeviceAuthorization>({
    name: 'claim-device-authorization',
    text: `update device_authorizations set user_id = $2
      where user_code_hash = $1 and (user_id is null or user_id = $2) and decision is null and expires_at > $3
      returning ${columns}`,
    values: [userCodeHash, userId, now],
  })
  return row
}

/** Describes a person's answer to a device. */
export interface DeviceDecision {
  readonly userCodeHash: Buffer
  /** Only the person who claimed the code can decide. */
  readonly userId: string
  readonly decision: 'approved' | 'denied'
  readonly manages: boolean
  readonly now: Date
}

/** Answers a device, once. `undefined`: it is not this person's to answer, was answered, or has expired. */
export async function decideDeviceRow(
  tx: Tx,
  { userCodeHash, userId, decision, manages, now }: DeviceDecision,
): Promise<DeviceAuthorization | undefined> {
  const [row] = await tx.query<DeviceAuthorization>({
    name: 'decide-device-authorization',
    text: `update device_authorizations set decision = $3, manages = $5
      where user_code_hash = $1 and user_id = $2 and decision is null and expires_at > $4 returning ${columns}`,
    values: [userCodeHash, userId, decision, now, manages],
  })
  return row
}

/** Finds the owner of a device code. `undefined`: there is no such code. */
export async function findDeviceOwner(
  tx: Tx,
  deviceCodeHash: Buffer,
): Promise<{ readonly userId: string | null } | undefined> {
  const [row] = await tx.query<{ userId: string | null }>({
    name: 'find-device-owner',
    text: 'select user_id as "userId" from device_authorizations where device_code_hash = $1',
    values: [deviceCodeHash],
  })
  return row
}

/** Locks the request of a device, so that of two polls at once only one gets the token. */
export async function lockDeviceRow(
  tx: Tx,
  deviceCodeHash: Buffer,
): Promise<DeviceAuthorization | undefined> {
  const [row] = await tx.query<DeviceAuthorization>({
    name: 'lock-device-authorization',
    text: `select ${columns} from device_authorizations where device_code_hash = $1 for update`,
    values: [deviceCodeHash],
  })
  return row
}

/** Records a poll of a device, and how long it has to wait for the next one. */
export async function touchDeviceRow(
  tx: Tx,
  deviceCodeHash: Buffer,
  { polledAt, intervalSeconds }: { readonly polledAt: Date; readonly intervalSeconds: number },
): Promise<void> {
  await tx.query({
    name: 'touch-device-authorization',
    text: 'update device_authorizations set polled_at = $2, interval_seconds = $3 where device_code_hash = $1',
    values: [deviceCodeHash, polledAt, intervalSeconds],
  })
}

/** Marks a device's request as redeemed. */
export async function markDeviceRedeemed(tx: Tx, deviceCodeHash: Buffer, now: Date): Promise<void> {
  await tx.query({
    name: 'redeem-device-authorization',
    text: 'update device_authorizations set redeemed_at = $2 where device_code_hash = $1',
    values: [deviceCodeHash, now],
  })
}

/** Revokes an approval that no device has redeemed yet. When a revocation and a redemption compete, the second one finds the first. */
export async function refuseWaitingDevices(tx: Tx, userId: string): Promise<void> {
  await tx.query({
    name: 'refuse-waiting-devices',
    text: `update device_authorizations set decision = 'denied'
      where user_id = $1 and decision = 'approved' and redeemed_at is null`,
    values: [userId],
  })
}
