import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

const here = import.meta.dirname;
const games = resolve(here, "../src/shopfloor/games");

/** The entries: what every page needs, and what a game's folder `page/` adds to its own table. */
function entries(): Record<string, string> {
  const found: Record<string, string> = {
    main: resolve(here, "src/main.ts"),
    style: resolve(here, "src/style.css"),
  };
  for (const game of existsSync(games) ? readdirSync(games).sort() : []) {
    const page = resolve(games, game, "page");
    for (const file of existsSync(page) ? readdirSync(page).sort() : []) {
      const [, stem, kind] = /^(\w+)\.(css|ts)$/.exec(file) ?? [];
      if (stem !== undefined) found[`${game}-${stem}-${kind}`] = resolve(page, file);
    }
  }
  return found;
}

/** The fonts' licences go where the fonts go. */
function licences(): Plugin {
  const fonts = resolve(here, "fonts");
  return {
    name: "licences",
    generateBundle() {
      for (const file of readdirSync(fonts).filter((name) => name.endsWith(".txt"))) {
        this.emitFile({ type: "asset", fileName: `assets/${file}`, source: readFileSync(resolve(fonts, file)) });
      }
    },
  };
}

// Pages find the hashed names in manifest.json, by the path of the source: "src/main.ts", "src/style.css",
// "../src/shopfloor/games/GAME/page/NAME.css".
export default defineConfig({
  root: here,
  base: "./",
  publicDir: false,
  plugins: [licences()],
  logLevel: "warn",
  build: {
    outDir: resolve(here, "../src/shopfloor/web/static/build"),
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2022",
    assetsInlineLimit: 0,
    // A scene in three dimensions is loaded by the tables that show one, and by no other page.
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: entries() },
  },
});
