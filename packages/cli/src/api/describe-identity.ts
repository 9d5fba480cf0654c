import type { Identity } from './operations.ts'

/** Describes a caller and the organizations it reaches, in one line. */
export function describeIdentity({ type, name, email, keyKind, organizations }: Identity): string {
  const kind =
    type === 'api_key'
      ? `${keyKind === 'b2m' ? 'browser' : 'server'} key`
      : type === 'user'
        ? ''
        : type
  const subject = [name, email === null ? '' : `<${email}>`].filter((part) => part !== '').join(' ')
  const reach = organizations
    .map(({ slug, role }) => (role === null ? slug : `${slug} (${role})`))
    .join(', ')
  return [kind, subject, reach === '' ? '' : `in ${reach}`].filter((part) => part !== '').join(' ')
}
