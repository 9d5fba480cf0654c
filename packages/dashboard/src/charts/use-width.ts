import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/**
 * Returns the width of an element in CSS pixels, measured again after every change. A chart that is drawn for it
 * keeps its text at the size of the page; a scaled one would not. `0` before the first measurement.
 */
export function useWidth<E extends Element>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
