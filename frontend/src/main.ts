import "./htmx";
