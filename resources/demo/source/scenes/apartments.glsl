// A block of flats at night, a life in each window.

vec3 photo(vec2 uv) {
  vec2 p = turn(-0.035) * uv + vec2(0.06, 0.0);
  p.x *= 1.0 + 0.10 * p.y;
  vec2 g = p * vec2(4.1, 3.7) + vec2(0.0, 0.45), cell = floor(g), f = fract(g) - 0.5;
  float id = hash2(cell + 3.0), mood = hash2(cell + 11.0), who = hash2(cell + 23.0);
  vec3 wall = vec3(0.030, 0.031, 0.040) * (0.7 + 0.5 * fbm(p * 4.0, 5)) * (0.85 + 0.25 * noise(p * 60.0));
  wall *= 1.0 - 0.35 * smoothstep(0.47, 0.5, abs(f.y));
  vec3 c = wall + vec3(0.05, 0.028, 0.012) * smoothstep(0.4, -1.2, p.y);
  float pane = box2(f - vec2(0.0, 0.04), vec2(0.30, 0.31));
  c += vec3(0.05, 0.032, 0.018) * step(0.42, id) * exp(-max(pane, 0.0) * 14.0);
  if (pane < 0.0) {
    vec2 w = f - vec2(0.0, 0.04);
    bool on = id > 0.42;
    vec3 lamp = mood < 0.45 ? vec3(1.0, 0.56, 0.20) : mood < 0.68 ? vec3(1.0, 0.74, 0.44) : mood < 0.82 ? vec3(0.95, 0.92, 0.78) : mood < 0.92 ? vec3(0.32, 0.48, 1.0) : vec3(1.0, 0.30, 0.26);
    vec2 at = vec2((who - 0.5) * 0.34, 0.12 + 0.1 * hash1(who * 9.0));
    float glow = 0.35 + 0.9 * exp(-9.0 * dot(w - at, w - at));
    vec3 room = lamp * glow * (0.55 + 0.55 * hash1(id * 33.0));
    room *= mix(1.0, 0.55, smoothstep(-0.05, -0.28, w.y));
    if (who > 0.30 && who < 0.55) {
      vec2 shade = (w - at) * vec2(1.0, 1.0);
      room += lamp * 2.4 * smoothstep(0.006, -0.006, max(abs(shade.x) - 0.055 + 0.35 * shade.y, abs(shade.y) - 0.035));
      room *= 1.0 - 0.8 * smoothstep(0.006, 0.0, abs(shade.x) - 0.002) * step(0.03, shade.y);
    }
    float shelf = step(0.62, who) * step(who, 0.76) * step(abs(w.x - 0.10), 0.13) * step(w.y, 0.16);
    room *= 1.0 - 0.55 * shelf * step(0.25, hash2(floor(w * vec2(46.0, 11.0)) + cell));
    if (who > 0.86) {
      vec2 b = w - vec2(-0.05 + 0.2 * (mood - 0.5), -0.31);
      float body = min(length((b - vec2(0.0, 0.33)) * vec2(1.12, 0.92)) - 0.052, box2(b - vec2(0.0, 0.11), vec2(0.075, 0.12)) - 0.035);
      body = min(body, segment(b, vec2(0.09, 0.20), vec2(0.16, 0.08)) - 0.025);
      room *= 1.0 - 0.93 * smoothstep(0.012, -0.008, body);
    }
    if (who < 0.14) {
      vec2 leaf = w - vec2(0.12, -0.31);
      float plant = 9.0;
      for (int i = 0; i < 7; i++) {
        float a = -1.1 + 0.37 * float(i);
        plant = min(plant, segment(leaf, vec2(0.0, 0.06), vec2(sin(a) * 0.15, 0.10 + cos(a) * 0.16)) - 0.014);
      }
      room *= 1.0 - 0.88 * smoothstep(0.008, -0.008, min(plant, box2(leaf - vec2(0, 0.03), vec2(0.035, 0.035))));
    }
    float drape = smoothstep(0.010, -0.010, 0.30 - abs(w.x) - 0.05 - 0.14 * hash1(id * 7.0) * smoothstep(-0.2, 0.3, w.y));
    room *= mix(1.0, 0.45 + 0.18 * sin(w.x * 130.0), drape);
    float blind = step(0.55, hash1(id * 51.0)) * smoothstep(0.0, 0.01, w.y - 0.25 + 0.35 * hash1(id * 3.0));
    room *= mix(1.0, 0.30 + 0.25 * step(0.4, fract(w.y * 42.0)), blind);
    vec3 dark = vec3(0.012, 0.014, 0.022) + vec3(0.030, 0.022, 0.020) * smoothstep(0.45, 0.6, fbm(p * 5.0 + 9.0, 3));
    c = on ? room * 1.35 : dark;
    float frame = min(abs(w.x + (hash1(floor(cell.y) * 3.0) > 0.5 ? 0.08 : -0.06)), abs(w.y - 0.15));
    c *= smoothstep(0.007, 0.012, frame);
    c *= smoothstep(0.0, -0.012, pane);
  }
  float rail = max(abs(f.y + 0.40) - 0.09, abs(f.x) - 0.42) ;
  if (hash1(cell.x * 3.0 + 0.7) > 0.55 && rail < 0.0) {
    float bars = step(0.35, fract(f.x * 26.0));
    c = mix(c, vec3(0.014, 0.014, 0.018), max(step(-0.325, f.y), bars * 0.85));
  }
  return c * 1.35;
}
