import { useState, type PointerEvent, type RefObject } from 'react'

/** Describes a rule that is being dragged, and the place where it would land. */
export interface RuleDrag {
  readonly from: number | undefined
  readonly to: number | undefined
  /** Returns the handlers of the grip of a rule. */
  readonly gripOf: (index: number) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: () => void
    readonly onPointerCancel: () => void
  }
}

/** Moves a rule with the mouse, a pen or a finger. It is moved when it is let go. */
export function useRuleDrag(
  list: RefObject<HTMLOListElement | null>,
  onMove: (from: number, to: number) => void,
): RuleDrag {
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  return {
    from: drag?.from,
    to: drag?.to,
    gripOf: (index) => ({
      onPointerDown(event) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: index, to: index })
      },
      onPointerMove(event) {
        if (drag === undefined) return
        const to = findTarget(list.current, event.clientY, drag.from)
        if (to !== drag.to) setDrag({ ...drag, to })
      },
      onPointerUp() {
        if (drag !== undefined) onMove(drag.from, drag.to)
        setDrag(undefined)
      },
      onPointerCancel: () => setDrag(undefined),
    }),
  }
}

/** Returns the place in the list without the dragged rule: behind all others whose middle is above the pointer. */
function findTarget(list: HTMLElement | null, y: number, from: number): number {
  const items = [...(list?.querySelectorAll<HTMLElement>('[data-rule]') ?? [])]
  return items.filter((item, index) => {
    const { top, height } = item.getBoundingClientRect()
    return index !== from && top + height / 2 < y
  }).length
}
