import { Problem } from '@signalbox/contract'
import type { domainChecks } from '@signalbox/contract/rest'
import type { Maker } from '../../../audit/audit-event.ts'

/** Names what a look for a record ended with. */
export type DomainCheck = (typeof domainChecks)[number]

/** Describes an e-mail domain of an organization. */
export interface EmailDomain {
  readonly domain: string
  readonly challenge: string
  readonly createdAt: Date
  readonly createdBy: Maker
  readonly verifiedAt: Date | null
  readonly checkedAt: Date | null
  readonly lastCheck: DomainCheck | null
  readonly missingSince: Date | null
}

/** Says for how long a proof outlives its record, in milliseconds: an accident with a zone lasts for days. */
export const missingMs = 7 * 24 * 3600 * 1000

/** Returns the text of the record that verifies a domain. */
export function renderRecord({ challenge }: Pick<EmailDomain, 'challenge'>): string {
  return `signalbox-domain-verification=${challenge}`
}

/** Lists the names at which the record of a domain counts. */
export function listRecordNames(domain: string): readonly string[] {
  return [domain, `_signalbox.${domain}`]
}

/** Returns the domain of an address, which is in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}

/** Lists domains in which anybody can have an address. Nobody could verify one; the list says so at once. */
const publicDomains = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.fr hotmail.de live.com msn.com outlook.de outlook.fr
  yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.co.jp ymail.com aol.com icloud.com me.com mac.com proton.me protonmail.com pm.me
  gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de mail.com mail.ru yandex.com yandex.ru qq.com 163.com 126.com
  zoho.com fastmail.com tutanota.com tuta.com hey.com orange.fr wanadoo.fr free.fr laposte.net libero.it naver.com hanmail.net
  comcast.net verizon.net att.net sbcglobal.net cox.net bluewin.ch posteo.de mailbox.org rediffmail.com`.split(
    /\s+/,
  ),
)

/** Refuses a domain of a public mail service. @throws {Problem} `validation_failed` */
export function refusePublicDomain(domain: string): void {
  if (!publicDomains.has(domain)) return
  const detail = 'Anybody can have an address there. Use a domain that your company owns.'
  throw new Problem('validation_failed', `/domain: ${detail}`, {
    errors: [{ pointer: '/domain', code: 'validation_failed', detail }],
  })
}

/** Returns the problem of an address outside of the domains that an organization has verified. */
export function domainUnverified(domain: string): Problem {
  const detail = `This organization has not verified the domain ${domain}. An owner verifies it under Settings, Single sign-on. Invite people with other addresses under Members.`
  return new Problem('domain_unverified', detail)
}
