import type { Plugin } from 'vite'

/**
 * Writes the rules of the dashboard's fonts once more, as `assets/fonts.css`. The documentation of the server names that
 * file, and a browser loads the same font files for both.
 */
export function fontFaces(): Plugin {
  return {
    name: 'font-faces',
    apply: 'build',
    // After Vite has put the names of the font files into the styles.
    enforce: 'post',
    generateBundle(_, bundle) {
      const rules = Object.values(bundle).flatMap((file) =>
        file.type === 'asset' && file.fileName.endsWith('.css')
          ? (String(file.source).match(/@font-face\s*\{[^}]*\}/g) ?? [])
          : [],
      )
      if (rules.length === 0) throw new Error('The styles of the dashboard have no font')
      this.emitFile({ type: 'asset', fileName: 'assets/fonts.css', source: rules.join('\n') })
    },
  }
}
