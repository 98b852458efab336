// A swimming pool from above at noon: the net of light on its floor, a lane's rope, the ladder.

float net(vec2 p) {
  vec2 q = p + 0.35 * vec2(noise(p * 1.3), noise(p * 1.3 + 8.0));
  float sum = 0.0;
  for (int i = 0; i < 3; i++) {
    q = turn(0.9) * q * 1.12 + 3.7 + 0.3 * vec2(sin(q.y * 1.9), cos(q.x * 1.7));
    vec3 c = cells(q);
    sum += pow(1.0 - smoothstep(0.0, 0.42, c.y - c.x), 3.2);
  }
  return sum / 3.0;
}

vec3 water(vec2 p) {
  vec2 slope = vec2(fbm(p * 1.7, 4) - fbm(p * 1.7 + vec2(0.05, 0), 4), fbm(p * 1.7, 4) - fbm(p * 1.7 + vec2(0, 0.05), 4)) * 4.5;
  vec2 q = p + slope * 0.55;
  vec2 tile = fract(q * 2.6);
  float joint = smoothstep(0.05, 0.02, min(min(tile.x, 1.0 - tile.x), min(tile.y, 1.0 - tile.y)));
  vec3 c = vec3(0.10, 0.46, 0.56) * (0.94 + 0.12 * hash2(floor(q * 2.6)));
  c = mix(c, vec3(0.20, 0.60, 0.66), joint * 0.6);
  float lane = smoothstep(0.02, 0.0, abs(q.x + 0.95) - 0.26);
  c = mix(c, vec3(0.012, 0.05, 0.16), lane * 0.92);
  c *= 0.62 + 1.9 * net(q * 1.45) + 0.2 * fbm(q, 3);
  float spark = smoothstep(0.27, 0.42, length(slope)) * step(0.6, noise(p * 26.0));
  return c * vec3(0.95, 1.02, 1.0) + vec3(1.4) * spark * 0.35;
}

vec3 photo(vec2 uv) {
  vec2 p = turn(-0.16) * uv * 2.1;
  vec3 c = water(p);
  float rope = p.x - 0.28 - 0.02 * sin(p.y * 2.2);
  float bead = fract(p.y * 4.2), kind = floor(p.y * 4.2);
  float wide = 0.052 * sqrt(max(0.0, 1.0 - pow(abs(bead - 0.5) * 2.05, 4.0)));
  float shade = smoothstep(0.09, 0.0, abs(rope + 0.20) - 0.03);
  c *= 1.0 - 0.45 * shade;
  vec3 float_ = mod(kind, 6.0) < 3.0 ? vec3(0.80, 0.07, 0.03) : vec3(0.92, 0.90, 0.86);
  c = mix(c, float_ * (0.55 + 0.9 * sqrt(max(0.0, 1.0 - pow((rope - 0.012) / 0.055, 2.0)))), smoothstep(0.006, -0.006, abs(rope) - wide));
  float edge = p.x - 1.42;
  vec2 slab = fract(p * vec2(1.1, 1.1) + vec2(0.1, 0.3)) ;
  vec3 deck = vec3(0.86, 0.80, 0.70) * (0.88 + 0.14 * fbm(p * 5.0, 4) + 0.06 * noise(p * 70.0)) * (1.0 - 0.35 * smoothstep(0.022, 0.008, min(slab.x, slab.y)));
  float wet = smoothstep(0.5, 0.62, fbm(p * 1.6 + 4.0, 4)) * smoothstep(0.75, 0.1, edge);
  deck *= 1.0 - 0.35 * wet;
  c *= 1.0 - 0.6 * smoothstep(-0.32, -0.02, edge) * 0.8;
  vec3 lip = mix(vec3(0.9, 0.9, 0.86), vec3(0.10, 0.22, 0.42), step(0.08, edge) * step(edge, 0.17));
  c = mix(c, edge < 0.26 ? lip : deck, smoothstep(-0.006, 0.006, edge));
  for (int i = 0; i < 2; i++) {
    vec2 q = p - vec2(1.35, -0.45 + 0.55 * float(i));
    float shadow = segment(q - vec2(0.05, -0.17), vec2(-0.22, 0.0), vec2(0.5, -0.06)) - 0.03;
    c *= 1.0 - 0.55 * smoothstep(0.03, -0.02, shadow);
  }
  for (int i = 0; i < 2; i++) {
    vec2 q = p - vec2(1.35, -0.45 + 0.55 * float(i));
    float bar = abs(q.y) - 0.032;
    float on = smoothstep(0.005, -0.005, max(bar, abs(q.x - 0.12) - 0.38));
    c = mix(c, vec3(0.35, 0.40, 0.45) + vec3(1.5) * exp(-pow((q.y - 0.010) / 0.009, 2.0)) - 0.25 * smoothstep(0.0, -0.03, q.y), on);
  }
  return c * 1.15;
}
