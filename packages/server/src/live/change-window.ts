import type { LiveTopic } from '@signalbox/contract/rest'

/** Names a changed thing, as it is sent. Without an id: many things of the topic. */
export interface ChangeRef {
  readonly topic: LiveTopic
  readonly id: string
}

/** Limits the things of one topic that one window names. Beyond it, one entry without an id stands for all. */
const namedMax = 8

interface TopicWindow {
  readonly sent: Set<string>
  readonly waiting: Set<string>
}

/**
 * Limits the changes of one organization within a tenth of a second. The first change of each thing passes at once; a
 * repeat waits for the end of the window. Too many things of one topic become one entry without an id. Such a topic
 * names nothing until a window has passed without it, so that a flood of any size is ten events a second.
 */
export class ChangeWindow {
  readonly #topics = new Map<LiveTopic, TopicWindow>()

  /** Returns whether to send the change now. Otherwise `flush` returns it. */
  add({ topic, id }: ChangeRef): boolean {
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

  /**
   * Ends the window, begins the next one, and returns the changes that waited. The window is empty when nothing waited
   * and nothing was sent.
   */
  flush(): readonly ChangeRef[] {
    const refs: ChangeRef[] = []
    for (const [topic, { waiting }] of this.#topics) {
      const named = waiting.has('') ? [''] : [...waiting]
      if (named.length === 0) this.#topics.delete(topic)
      else this.#topics.set(topic, { sent: new Set(named), waiting: new Set() })
      for (const id of named) refs.push({ topic, id })
    }
    return refs
  }

  get isEmpty(): boolean {
    return this.#topics.size === 0
  }
}
