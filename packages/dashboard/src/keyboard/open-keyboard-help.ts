import { createSignal } from '../parts/signal.ts'

const asked = createSignal()

/** Shows which keys there are, for whoever does not know that `?` does. */
export const openKeyboardHelp = asked.send

export const onOpenKeyboardHelp = asked.listen
