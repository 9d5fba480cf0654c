import type { ChatMessage } from '../providers/chat.ts'
import { providerNames } from '../providers/provider-names.ts'
import { context, header, section } from './message-blocks.ts'
import { linkTo, quoteText } from './message-text.ts'

/** An integration that a person has to look after. */
export interface AttentionView {
  /** Example: `tracker`. */
  readonly kind: string
  readonly provider: string
  readonly account: string | null
  readonly state: string
  readonly reason: string | null
  readonly nextStep: string | null
}

const providers: Readonly<Record<string, string>> = providerNames

const alarming: ReadonlySet<string> = new Set([
  'reauth_required',
  'suspended',
  'degraded',
  // At its provider: who disconnects here knows of it, and nothing asks for a message.
  'disconnected',
])

/** Whether the state of an integration is one that somebody has to know of. */
export function needsAttention(state: string): boolean {
  return alarming.has(state)
}

function attentionTitle({ state }: AttentionView, provider: string): string {
  switch (state) {
    case 'reauth_required':
      return `⚠️ ${provider} has to be connected again`
    case 'suspended':
      return `⚠️ ${provider} is switched off at its side`
    case 'degraded':
      return `⚠️ ${provider} does not work as it should`
    case 'disconnecting':
    case 'disconnected':
      return `⚪ ${provider} was disconnected`
    default:
      return `✅ ${provider} works again`
  }
}

/** The message about an integration, in the channel where deployments of the organization are told. */
export function renderAttention(view: AttentionView, moreUrl: string | null): ChatMessage {
  const title = attentionTitle(view, providers[view.provider] ?? 'An integration')
  const lines = [
    ...(view.account === null ? [] : [`Account: ${quoteText(view.account, 100)}`]),
    ...(view.reason === null ? [] : [`Why: ${quoteText(view.reason, 500)}`]),
    ...(view.nextStep === null ? [] : [`Next: ${quoteText(view.nextStep, 500)}`]),
    ...(moreUrl === null ? [] : [linkTo(moreUrl, 'Integrations')]),
  ]
  return { text: title, blocks: [header(title), ...(lines.length === 0 ? [] : [section(lines)])] }
}

/** A change of configuration in an environment of production. Never a value: names and numbers. */
export interface ConfigurationView {
  readonly environment: string
  readonly schema: string
  readonly version: number
  readonly who: string
  readonly comment: string | null
  readonly keys: readonly string[]
}

/** The message about a change in production. */
export function renderConfiguration(view: ConfigurationView, moreUrl: string | null): ChatMessage {
  const [environment, schema] = [quoteText(view.environment, 63), quoteText(view.schema, 63)]
  const text = `🔧 Configuration of ${environment} changed: ${schema} v${view.version}`
  const keys = view.keys.slice(0, 8).map((key) => quoteText(key, 100))
  const more = view.keys.length - keys.length
  const list = more > 0 ? `${keys.join(', ')} and ${more} more` : keys.join(', ')
  const lines = [
    text,
    ...(list === '' ? [] : [`Keys: ${list}`]),
    ...(view.comment === null ? [] : [`“${quoteText(view.comment, 300)}”`]),
  ]
  const links = moreUrl === null ? [] : [linkTo(moreUrl, 'Details')]
  return { text, blocks: [section(lines), context([`by ${quoteText(view.who, 80)}`, ...links])] }
}
