import type { LiveTopic } from '@signalbox/contract/rest'

/** What is sent. Without an id: any number of that topic. */
export interface Hint {
  readonly topic: LiveTopic
  readonly id: string
}

/** Different things of one topic that are named in one window; beyond that, all of them are meant. */
const namedMax = 8

interface TopicWindow {
  readonly sent: Set<string>
  readonly waiting: Set<string>
}

/**
 * The hints of one organization within a tenth of a second. The first of each thing passes at once; what comes again waits for
 * the end, and of too many things of one topic one hint is left that names none. A topic that overflowed names nothing
 * until a window has passed without it, so that a flood of any size is ten hints a second.
 */
export class HintWindow {
  readonly #topics = new Map<LiveTopic, TopicWindow>()

  /** Whether the hint is to be sent now. Otherwise it is part of what `turn` answers. */
  admit({ topic, id }: Hint): boolean {
    const window = this.#topics.get(topic) ?? { sent: new Set(), waiting: new Set() }
    this.#topics.set(topic, window)
    const isFlooded = window.sent.has('') || window.sent.size >= namedMax
    if (isFlooded || window.sent.has(id)) {
      window.waiting.add(isFlooded ? '' : id)
      return false
    }
    window.sent.add(id)
    return true
  }

  /** Ends the window and begins the next one. Answers what waited; nothing waits and nothing was sent: the end. */
  turn(): readonly Hint[] {
    const hints: Hint[] = []
    for (const [topic, { waiting }] of this.#topics) {
      const named = waiting.has('') ? [''] : [...waiting]
      if (named.length === 0) this.#topics.delete(topic)
      else this.#topics.set(topic, { sent: new Set(named), waiting: new Set() })
      for (const id of named) hints.push({ topic, id })
    }
    return hints
  }

  get isEmpty(): boolean {
    return this.#topics.size === 0
  }
}
