import { mount } from "svelte";
import "../../crates/report/src/html/templates/style.css";
import "./app.css";
import App from "./App.svelte";
import { applyTheme } from "./lib/theme.svelte";

applyTheme();
const target = document.getElementById("app");
if (target) mount(App, { target });
