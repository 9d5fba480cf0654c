/** Holds the entry of the browser's history in which a person pressed something last. */
let pressedEntry: unknown

/** Reads the entry of the browser's history, as the router counts them. It stays when the address is replaced. */
function readEntry(): unknown {
  return Object(window.history.state)['__TSR_index']
}

function followPress(): void {
  pressedEntry = readEntry()
}

/** Follows where a person presses something, from the start of the dashboard on. */
export function followPresses(): void {
  for (const event of ['click', 'pointerdown', 'keydown'])
    window.addEventListener(event, followPress, true)
}

/** Returns whether a person pressed something since they came to this page. */
export function isPressedHere(): boolean {
  return pressedEntry === readEntry()
}
