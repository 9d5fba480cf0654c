import type { Command } from './commands.ts'

/** What the server finds for a query. */
export function useSearchCommands(_query: string): readonly Command[] {
  return []
}
