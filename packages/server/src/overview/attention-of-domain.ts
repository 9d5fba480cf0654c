import { missingMs } from '../identity/members/email-domains/email-domain.ts'
import type { MissingDomain } from '../read-models/overview/missing-domain-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

const dayMs = 24 * 3600 * 1000

/** Returns what people should know of an e-mail domain whose record is gone. */
export function attentionOfDomain(
  { domain, missingSince, isOver }: MissingDomain,
  now: Date,
): AttentionItem {
  const daysLeft = Math.ceil((missingSince.getTime() + missingMs - now.getTime()) / dayMs)
  return {
    severity: isOver ? 'error' : 'warning',
    code: 'email_domain_missing',
    subjectId: null,
    title: isOver
      ? `The e-mail domain ${domain} is no longer verified`
      : `The DNS record of the e-mail domain ${domain} is gone`,
    detail: isOver
      ? 'Nobody with such an address can sign in with your provider, and the directory adds nobody. Create the record again, then check the domain.'
      : `Create it again within ${daysLeft > 1 ? `${daysLeft} days` : 'a day'}. After that, nobody with such an address can sign in with your provider, and the directory adds nobody.`,
    at: missingSince.toISOString(),
    next: next('Open', { page: 'settings' }),
    around: null,
  }
}
