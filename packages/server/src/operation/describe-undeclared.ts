import type { ReadinessCheck } from './readiness.ts'

/** Describes that `X-Forwarded-For` comes from `sender`, which the settings do not name as a proxy. */
export function describeUndeclared(sender: string): ReadinessCheck {
  const detail = `X-Forwarded-For comes from ${sender} that SIGNALBOX_TRUSTED_PROXIES does not name. If it is a proxy, everybody behind it counts as one address until it is named there.`
  return { ok: true, detail, warning: true }
}
