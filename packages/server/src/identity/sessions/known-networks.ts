import { nameAttempt, type SignInAttempt } from './sign-in-attempt.ts'

/** Remembers from which networks an account was signed in to with the right password lately. */
export interface KnownNetworks {
  has(attempt: SignInAttempt): boolean
  add(attempt: SignInAttempt): void
}

const rememberedMs = 30 * 24 * 3600 * 1000
/** The least recently used is forgotten first. */
const rememberedMax = 10_000

/** Opens the memory of successes. Each node has its own, from its start on. */
export function createKnownNetworks({ now }: { readonly now: () => Date }): KnownNetworks {
  const usedAt = new Map<string, number>()
  return {
    has(attempt) {
      const at = usedAt.get(nameAttempt(attempt))
      return at !== undefined && now().getTime() - at < rememberedMs
    },
    add(attempt) {
      const name = nameAttempt(attempt)
      usedAt.delete(name)
      usedAt.set(name, now().getTime())
      const [oldest] = usedAt.keys()
      if (usedAt.size > rememberedMax && oldest !== undefined) usedAt.delete(oldest)
    },
  }
}
