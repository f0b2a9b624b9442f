import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** The library of diagrams, for the frame that draws them. */
function diagrams(): Plugin {
  return {
    name: "diagrams",
    apply: "build",
    closeBundle() {
      mkdirSync("dist/diagram", { recursive: true });
      copyFileSync("node_modules/mermaid/dist/mermaid.min.js", "dist/diagram/mermaid.js");
      pack("dist");
    },
  };
}

/** Every file packed beside itself: the program embeds these. */
function pack(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) pack(path);
    else if (!path.endsWith(".gz")) writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

export default defineConfig({
  plugins: [svelte(), diagrams()],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    // Nothing inline: the policy of the page forbids it.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The editor is loaded when somebody edits.
    chunkSizeWarningLimit: 700,
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/v1": "http://127.0.0.1:8321" },
  },
});
