import type { ConfigSummarizer } from '../configs/summarize-configs.ts'
import type { Feature, Kit } from '../kit.ts'
import { mountOverview } from './routes.ts'

/** Opens the front page, the timeline, the charts and the search. */
export function openOverview(
  { store, now }: Kit,
  { summarizer }: { readonly summarizer: ConfigSummarizer },
): Feature {
  return { mount: (router) => mountOverview(router, { store, summarizer, now }) }
}
