import { createSignal } from '../parts/signal.ts'

const asked = createSignal()

/** Opens the palette, from wherever it is asked for. */
export const openPalette = asked.send

export const onOpenPalette = asked.listen
