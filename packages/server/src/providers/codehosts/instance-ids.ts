/**
 * Holds ids of providers that many run themselves: on another instance the same number is something else, so the instance stands
 * before it.
 */

/** Returns what tells an instance from others in ids. Example: `git.example.com/code` of `https://git.example.com/code`. */
export function instanceOf(webUrl: string): string {
  return webUrl.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '')
}

/** Returns the id beyond its instance. Example: `git.example.com/42`. */
export function toInstanceId(instance: string, number: string): string {
  return `${instance}/${number}`
}

/** Returns the instance of the person who connected it, by the id of their account. Empty where ids name no instance. */
export function instanceOfAccount(accountId: string): string {
  return accountId.slice(0, Math.max(0, accountId.lastIndexOf('/')))
}

const digits = /^\d{1,20}$/

/** Returns the number of an id of this instance; `undefined` for an id of another instance or provider. */
export function readInstanceNumber(instance: string, id: string): string | undefined {
  const start = `${instance}/`
  const number = id.startsWith(start) ? id.slice(start.length) : ''
  return digits.test(number) ? number : undefined
}
