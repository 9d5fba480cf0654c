import { inject } from 'vitest'

/** Says whether this run is that of the night, which takes each variation of what a check of the day takes once. */
export const isNight = inject('scale') > 1
