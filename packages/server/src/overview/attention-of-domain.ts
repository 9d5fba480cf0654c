import type { MissingDomain } from '../read-models/overview/missing-domain-rows.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

/** Says for how many days a proof outlives its record. */
const daysLeft = 7

/** Returns what people should know of an e-mail domain whose record is gone. */
export function attentionOfDomain({ domain, missingSince, isOver }: MissingDomain): AttentionItem {
  return {
    severity: isOver ? 'error' : 'warning',
    code: 'email_domain_missing',
    subjectId: null,
    title: isOver
      ? `The e-mail domain ${domain} is not verified any more`
      : `The DNS record of the e-mail domain ${domain} is gone`,
    detail: isOver
      ? 'Nobody with such an address can sign in with your provider, and the directory adds nobody. Create the record again, then check the domain.'
      : `Create it again within ${daysLeft} days of its disappearance. After that, nobody with such an address can sign in with your provider, and the directory adds nobody.`,
    at: missingSince.toISOString(),
    next: next('Open', { page: 'settings' }),
    around: null,
  }
}
