import type { ReadinessCheck } from './readiness.ts'

/** Describes that `X-Forwarded-For` comes from `sender`, which the settings do not name as a proxy. */
export function describeUndeclared(sender: string): ReadinessCheck {
  const detail = `Requests with X-Forwarded-For come from ${sender}, which SIGNALBOX_TRUSTED_PROXIES does not list. If that is a proxy, add it: until then everybody behind it counts as one address.`
  return { ok: true, detail, warning: true }
}
