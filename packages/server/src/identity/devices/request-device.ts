import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { addressSubject } from '../../http/admission/client-address.ts'
import { deviceIntervalSeconds, deviceLifetimeSeconds } from './device-authorization.ts'
import type { DeviceDeps } from './device-deps.ts'
import { insertDeviceRow } from './rows.ts'
import { hashUserCode, newUserCode, renderUserCode } from './user-code.ts'

/** Describes a device authorization response (RFC 8628 §3.2). */
export interface RequestedDevice {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  /** The address with the code in it. The page still shows the code, to be compared (RFC 8628 §3.3.1). */
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

/** Stores the request of a device to sign in, with hashes of both codes. */
export async function requestDevice(
  { store, signInKey, publicUrl, now }: DeviceDeps,
  { deviceName, ip }: { readonly deviceName: string; readonly ip: string },
): Promise<RequestedDevice> {
  const createdAt = now()
  const expiresAt = new Date(createdAt.getTime() + deviceLifetimeSeconds * 1000)
  const device = newOpaqueToken()
  const row = {
    deviceCodeHash: device.hash,
    deviceName,
    ip: addressSubject(ip),
    createdAt,
    expiresAt,
    intervalSeconds: deviceIntervalSeconds,
  }
  const userCode = await store.transaction({ orgId: null }, async (tx) => {
    for (;;) {
      const code = newUserCode()
      const userCodeHash = hashUserCode(signInKey, code)
      if (await insertDeviceRow(tx, { ...row, userCodeHash })) return renderUserCode(code)
    }
  })
  const page = `${publicUrl()}/device`
  return {
    device_code: device.token,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: deviceLifetimeSeconds,
    interval: deviceIntervalSeconds,
  }
}
