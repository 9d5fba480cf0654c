import { describeFlagMove } from '@signalbox/contract'
import {
  joinTexts,
  link,
  quote,
  sign,
  type ChatMessage,
  type MessageText,
  type Tone,
} from '../../providers/chat/chat-message.ts'
import { findProvider } from '../../providers/find-provider.ts'
import type {
  AttentionView,
  ConfigurationView,
  FlagView,
} from '../../read-models/notifications/notice-views.ts'
import { renderNotice } from './render-notice.ts'
import { renderProofs } from './render-proof.ts'

const alarming: ReadonlySet<string> = new Set([
  'reauth_required',
  'suspended',
  'degraded',
  // At its provider: who disconnects here knows of it, and nothing asks for a message.
  'disconnected',
])

/** Returns whether a person has to know of the state of an integration. */
export function needsAttention(state: string): boolean {
  return alarming.has(state)
}

function describeState({ state }: AttentionView): readonly [tone: Tone, description: string] {
  switch (state) {
    case 'reauth_required':
      return ['warning', 'needs to be connected again']
    case 'suspended':
      return ['warning', 'was suspended']
    case 'degraded':
      return ['warning', 'isn’t working correctly']
    case 'disconnecting':
    case 'disconnected':
      return ['inactive', 'was disconnected']
    default:
      return ['success', 'is working again']
  }
}

function label(name: string, text: string | null, max: number): MessageText[] {
  return text === null ? [] : [[`${name}: `, quote(text, max)]]
}

/** Returns the message about an integration, for the channel of the organization's deployments. */
export function renderAttention(view: AttentionView, moreUrl: string | null): ChatMessage {
  const [tone, description] = describeState(view)
  const headline = [
    `${findProvider(view.provider)?.displayName ?? 'An integration'} ${description}`,
  ]
  return {
    tone,
    summary: [sign(tone), ' ', ...headline],
    headline,
    links: [],
    facts: [
      ...label('Account', view.account, 100),
      ...label('Why', view.reason, 500),
      ...label('Next', view.nextStep, 500),
    ],
    actions: moreUrl === null ? [] : [link(moreUrl, 'Integrations')],
    sections: [],
    footer: [],
  }
}

/** Limits the flags, and the other keys, that a message names. */
const keysShown = 8

/**
 * Returns the message about a change in production. A flag is shown with its state before and after, any other key by its
 * name.
 */
export function renderConfiguration(view: ConfigurationView, moreUrl: string | null): ChatMessage {
  const { keys, flags, comment, proof } = view
  const watch = renderProofs(proof === null ? [] : [proof])
  const tone = watch.tone ?? 'changed'
  const version = [quote(view.schema, 63), ` v${view.version}`]
  const [flag] = flags
  const isOneFlag = flags.length === 1 && keys.length === 0 && flag !== undefined
  return renderNotice({
    tone,
    summary: [
      sign(tone),
      ' ',
      ...(isOneFlag
        ? renderFlag(flag, [' in ', quote(view.environment, 63)])
        : ['Configuration of ', quote(view.environment, 63), ' changed: ', ...version]),
      ...watch.end,
    ],
    facts: [
      ...(isOneFlag
        ? [version]
        : flags.slice(0, keysShown).map((one) => ['Flag ', ...renderFlag(one)])),
      ...(flags.length > keysShown ? [[`and ${flags.length - keysShown} more flags`]] : []),
      ...(keys.length === 0 ? [] : [renderKeys(keys)]),
      ...(comment === null ? [] : [['“', quote(comment, 300), '”']]),
      ...watch.facts,
    ],
    footer: [
      ['by ', quote(view.who, 80)],
      ...(moreUrl === null ? [] : [[link(moreUrl, 'Details')]]),
    ],
  })
}

/** Returns the change of a flag. Example: `newCheckout: off → on for 10%`. */
function renderFlag(flag: FlagView, environment: MessageText = []): MessageText {
  return [quote(flag.key, 100), ...environment, ': ', quote(describeFlagMove(flag), 200)]
}

/** Lists the first names of keys, and counts the rest. */
export function renderKeys(names: readonly string[]): MessageText {
  const keys = names.slice(0, keysShown).map((key) => [quote(key, 100)])
  const more = names.length - keys.length
  return ['Keys: ', ...joinTexts(keys, ', '), ...(more > 0 ? [` and ${more} more`] : [])]
}
