import { toHref, type PageRef } from '@signalbox/contract'
import type { Attention, NextStep } from '@signalbox/contract/rest'

/** Returns a button that leads to a page of the dashboard. */
export function next(label: string, ref: PageRef): NextStep {
  return { label, href: toHref(ref) }
}

export function integrationPage(kind: string): PageRef {
  return { page: 'integration', params: { kind } }
}

/** Describes something that waits for a person. `around` is left out where no environment is known in which a change caused it. */
export type AttentionItem = Omit<Attention, 'around'> & Partial<Pick<Attention, 'around'>>
