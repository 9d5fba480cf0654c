import { deviceEndpoints as endpoints } from '@signalbox/contract/rest'
import type { RawAnswer } from '../../http/input/endpoint-request.ts'
import type { Router } from '../../http/router.ts'
import { answerOAuth, refuseOAuth } from '../access-tokens/oauth-answer.ts'
import { invalidRequest, readOAuthParameters } from '../access-tokens/oauth-parameters.ts'
import { refuseOtherClient } from '../access-tokens/token-request.ts'
import { toCaller } from '../caller.ts'
import { createSignInDelays } from '../sessions/sign-in-delays.ts'
import { claimDevice } from './claim-device.ts'
import { decideDevice } from './decide-device.ts'
import { readDeviceName } from './device-authorization.ts'
import type { DeviceDeps } from './device-deps.ts'
import { requestDevice } from './request-device.ts'
import { renderUserCode } from './user-code.ts'

/** Mounts signing in on a device without a browser, but for its question at `/oauth/token`. */
export function mountDevices(router: Router, deps: DeviceDeps): void {
  const claimDeps = { ...deps, delays: createSignInDelays(deps) }
  router
    .addRaw(endpoints.authorizeDevice, async ({ header, readBytes, ip }) => {
      const text = { contentType: header('content-type'), body: await readBytes() }
      return authorizeDevice(deps, text, ip)
    })
    .add(endpoints.claimDevice, {
      handle: (request) =>
        claimDevice(claimDeps, { userCode: request.body.userCode, caller: toCaller(request) }),
      present: ({ userCode, deviceName, ip, createdAt, expiresAt }) => ({
        userCode: renderUserCode(userCode),
        deviceName,
        ip,
        requestedAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      }),
    })
    .add(endpoints.approveDevice, {
      handle: (request) =>
        decideDevice(deps, { ...request.body, decision: 'approved', caller: toCaller(request) }),
    })
    .add(endpoints.denyDevice, {
      handle: (request) =>
        decideDevice(deps, { ...request.body, decision: 'denied', caller: toCaller(request) }),
    })
}

async function authorizeDevice(
  deps: DeviceDeps,
  text: Parameters<typeof readOAuthParameters>[0],
  ip: string,
): Promise<RawAnswer> {
  const parameters = readOAuthParameters(text)
  if ('error' in parameters) return refuseOAuth(parameters)
  const wrong = refuseOtherClient(parameters)
  if (wrong !== undefined) return refuseOAuth(wrong)
  const deviceName = readDeviceName(parameters.get('device_name'))
  if (deviceName === undefined) {
    return refuseOAuth(invalidRequest('Use a device_name of at most 60 printable characters.'))
  }
  return answerOAuth(200, await requestDevice(deps, { deviceName, ip }))
}
